// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine_model.h"

#include <algorithm>
#include <utility>

#include "base/out_of_memory.h"

namespace workbench {
namespace {

TRITONSERVER_InstanceGroupKind KindOf(const std::string& kind) {
  if (kind == "GPU") return TRITONSERVER_INSTANCEGROUPKIND_GPU;
  if (kind == "MODEL") return TRITONSERVER_INSTANCEGROUPKIND_MODEL;
  return TRITONSERVER_INSTANCEGROUPKIND_CPU;
}

const char* NameOf(TRITONSERVER_InstanceGroupKind kind) {
  switch (kind) {
    case TRITONSERVER_INSTANCEGROUPKIND_GPU:
      return "GPU";
    case TRITONSERVER_INSTANCEGROUPKIND_MODEL:
      return "MODEL";
    case TRITONSERVER_INSTANCEGROUPKIND_CPU:
      return "CPU";
    default:
      return "AUTO";
  }
}

ModelInstance::Options OptionsOf(InstanceSpec spec) {
  ModelInstance::Options options;
  options.name = std::move(spec.name);
  options.kind = KindOf(spec.kind);
  options.device_id = spec.device_id;
  options.is_passive = spec.is_passive;
  options.host_policy = std::move(spec.host_policy);
  options.profiles = std::move(spec.profiles);
  options.limit = std::move(spec.limit);
  for (const auto& [kind, id] : spec.secondary_devices) options.secondary_devices.push_back({kind, id});
  return options;
}

std::vector<ModelInstance::Options> OptionsOf(std::vector<InstanceSpec> specs) {
  std::vector<ModelInstance::Options> options;
  options.reserve(specs.size());
  for (InstanceSpec& spec : specs) options.push_back(OptionsOf(std::move(spec)));
  return options;
}

Model::Options OptionsOf(ModelSpec spec) {
  Model::Options options;
  options.signature = std::move(spec.signature);
  options.scheduling = std::move(spec.scheduling);
  options.folder = std::move(spec.folder);
  options.config_json = std::move(spec.config_json);
  options.metric_tags = std::move(spec.metric_tags);
  options.first_response_buckets_ms = std::move(spec.first_response_buckets_ms);
  options.is_cached = spec.is_cached;
  options.instances = OptionsOf(std::move(spec.instances));
  options.warmup = std::move(spec.warmup);
  options.may_auto_complete = spec.may_auto_complete;
  options.batch_strategy = std::move(spec.batch_strategy);
  return options;
}

// With the numbers that its blocks of memory bear.
ModelSpec Numbered(ModelSpec spec, const Model::Context& context, TensorNames& tensors) {
  spec.signature.number = context.number;
  tensors.Number(&spec.signature);
  return spec;
}

}  // namespace

std::vector<PreferredGroup> EngineBackend::preferred_groups() const {
  std::vector<PreferredGroup> groups;
  for (const Backend::InstanceGroup& group : backend_->preferred_groups())
    groups.push_back({NameOf(group.kind), group.count, group.device_ids});
  return groups;
}

EngineModel::EngineModel(ModelSpec spec, std::shared_ptr<Backend> backend, const Model::Context& context,
                         const EnsembleBuilder& ensembles, TensorNames& tensors)
    : context_(context),
      ensembles_(ensembles),
      tensors_(tensors),
      model_(Model::Create(OptionsOf(Numbered(std::move(spec), context, tensors)), std::move(backend),
                           context)) {
  AppendState(ModelState::kLoading);
}

EngineModel::~EngineModel() { model_->Close(); }

void EngineModel::AppendState(ModelState state) {
  Event event;
  event.kind = EventKind::kModelState;
  event.arrival_ns = context_.clock->NowNs();
  event.model = context_.number;
  event.detail = static_cast<uint8_t>(state);
  context_.events->Append(event);
}

Result<std::string> EngineModel::Initialize() {
  return OrOutOfMemory([this]() -> Result<std::string> {
    RETURN_IF_ERROR(model_->Initialize());
    return model_->told_config();
  });
}

Status EngineModel::Start(ModelSpec spec) {
  return OrOutOfMemory([&]() -> Status {
    EnsembleBuilder::NewScheduler new_scheduler;
    if (spec.ensemble) {
      ASSIGN_OR_RETURN(new_scheduler, ensembles_.Build(std::move(*spec.ensemble), spec.signature));
    }
    Model::Options options = OptionsOf(Numbered(std::move(spec), context_, tensors_));
    options.new_scheduler = std::move(new_scheduler);
    return model_->Start(std::move(options));
  });
}

Status EngineModel::UpdateInstances(std::vector<InstanceSpec> instances) {
  return OrOutOfMemory([&] { return model_->UpdateInstances(OptionsOf(std::move(instances))); });
}

std::vector<InFlightRequest> EngineModel::InFlightRequests() const {
  std::vector<InFlightRequest> requests = InferenceRequest::InFlightFor(model_.get());
  std::sort(requests.begin(), requests.end(), [](const InFlightRequest& one, const InFlightRequest& other) {
    return one.arrival_ns < other.arrival_ns;
  });
  return requests;
}

Status EngineModel::Close() {
  // Who found the model before it was retired may be on the way to being refused.
  constexpr uint64_t kMomentNs = 50'000'000;
  if (model_->in_flight() != 0 && !model_->Drain(kMomentNs)) {
    return UnavailableError("model '" + name() + "' still has " + std::to_string(model_->in_flight()) +
                            " requests in flight; drain it first");
  }
  model_->Close();
  AppendState(ModelState::kUnavailable);
  return OkStatus();
}

}  // namespace workbench
