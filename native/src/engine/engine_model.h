// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EngineModel: a model under its manager's control, and what the engine adds to it: events of its state.
// EngineBackend: a manager's hold on an open backend.
#pragma once

#include <memory>
#include <string>

#include "engine/bridge.h"
#include "engine/ensemble_builder.h"
#include "engine/tensor_names.h"
#include "events/event_sink.h"
#include "model/model.h"

namespace workbench {

class EngineBackend final : public BackendBridge {
 public:
  explicit EngineBackend(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
  const std::string& name() const override { return backend_->name(); }
  const std::string& path() const override { return backend_->library().path(); }
  std::vector<PreferredGroup> preferred_groups() const override;
  const std::shared_ptr<Backend>& backend() const { return backend_; }

 private:
  const std::shared_ptr<Backend> backend_;  // shared with models and the engine's table
};

class EngineModel final : public ModelBridge {
 public:
  // backend: null for an ensemble.
  EngineModel(ModelSpec spec, std::shared_ptr<Backend> backend, const Model::Context& context,
              const EnsembleBuilder& ensembles, TensorNames& tensors);
  ~EngineModel() override;

  Model* model() const { return model_.get(); }
  void AppendState(ModelState state);

  const std::string& name() const override { return model_->signature().name; }
  int64_t version() const override { return model_->signature().version; }
  uint16_t number() const override { return model_->number(); }
  Result<std::string> Initialize() override;
  Status Start(ModelSpec spec) override;
  void Reconfigure(SchedulingOptions scheduling) override { model_->Reconfigure(std::move(scheduling)); }
  Status UpdateInstances(std::vector<InstanceSpec> instances) override;
  bool Drain(uint64_t timeout_ns) override { return model_->Drain(timeout_ns); }
  Status Close() override;
  StatisticsSnapshot statistics() const override { return model_->statistics(); }
  size_t queue_length() const override { return model_->queue_length(); }
  std::vector<QueueLevel> queue_levels() const override { return model_->queue_levels(); }
  size_t in_flight() const override { return model_->in_flight(); }
  std::vector<InFlightRequest> InFlightRequests() const override;

 private:
  const Model::Context context_;
  const EnsembleBuilder ensembles_;
  TensorNames& tensors_;  // the engine's
  const Model::Ref model_;
};

}  // namespace workbench
