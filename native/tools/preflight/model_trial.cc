// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model_trial.h"

#include <algorithm>
#include <limits>

namespace workbench::preflight {
namespace {

// The alarm ends what takes too long.
constexpr uint64_t kForever = std::numeric_limits<uint64_t>::max() / 4;

// A model of a sequence scheduler wants to know where one begins.
constexpr uint32_t kStart = TRITONSERVER_REQUEST_FLAG_SEQUENCE_START;
constexpr uint32_t kEnd = TRITONSERVER_REQUEST_FLAG_SEQUENCE_END;

bool WantsText(const ControlSpec& control) {
  return control.kind == ControlSpec::Kind::kCorrelationId && control.input.type == DataType::kBytes;
}

// The one request is a whole sequence, called as the model wants it: by a text or by a number.
void PlaceInSequence(const SequenceOptions& sequence, CallOptions* options) {
  if (sequence.is_iterative) return;
  options->flags = kStart | kEnd;
  options->correlation_id = 1;
  if (std::any_of(sequence.controls.begin(), sequence.controls.end(), WantsText))
    options->correlation_text = "1";
}

void InferZeros(EngineBridge& engine, const ModelSpec& spec, const ZeroInputs& inputs) {
  CallOptions options;
  options.model = spec.signature.name;
  options.version = spec.signature.version;
  options.inputs = inputs.tensors();
  PlaceInSequence(spec.scheduling.sequence, &options);
  Result<std::shared_ptr<CallBridge>> call = engine.Submit(options);
  if (call.ok()) call.value()->Wait(kForever);
}

}  // namespace

Status TryModel(const Report& report, const Core& core, EngineBridge& engine,
                std::shared_ptr<BackendBridge> backend, ModelSource source) noexcept {
  report.Stage("configuration");
  ASSIGN_OR_RETURN(ModelSpec spec, ReadModelSpec(core, source));
  ASSIGN_OR_RETURN(std::unique_ptr<ModelBridge> model, engine.CreateModel(spec, backend.get()));
  report.Stage("ModelInitialize");
  ASSIGN_OR_RETURN(source.config_json, model->Initialize());
  ASSIGN_OR_RETURN(spec, ReadModelSpec(core, source));
  report.Stage("ModelInstanceInitialize");
  RETURN_IF_ERROR(model->Start(spec));
  report.Stage("Execute");
  const ZeroInputs inputs(core, spec.signature);
  engine.Publish(*model);
  InferZeros(engine, spec, inputs);
  report.Stage("Finalize");
  engine.Retire(*model);
  model->Drain(kForever);
  RETURN_IF_ERROR(model->Close());
  model.reset();
  backend.reset();
  return OkStatus();
}

}  // namespace workbench::preflight
