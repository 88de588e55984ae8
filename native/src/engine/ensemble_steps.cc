// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The steps of a run: how a step's request is made, and what becomes of its answers.
#include <algorithm>
#include <utility>

#include "engine/ensemble_step_call.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL

}  // namespace

void EnsembleRun::Launch(std::unique_ptr<StepCall> call) {
  {
    MutexLock lock(&mutex_);
    if (request_->is_cancelled()) Fail(CancelledError("the request was cancelled"));
  }
  Result<RequestPtr> request = NewStepRequest(call.get());
  if (!request.ok()) return EndUnsent(std::move(call), request.status());
  StepCall* const sent = call.release();  // until its last answer and its release have come
  std::optional<Refusal> refusal = context_.runner->Infer(std::move(*request));
  if (!refusal) return;
  const Status reason = refusal->reason;
  refusal->request.reset();
  EndUnsent(std::unique_ptr<StepCall>(sent), reason);
}

Result<RequestPtr> EnsembleRun::NewStepRequest(StepCall* call) {
  {
    MutexLock lock(&mutex_);
    if (!failure_.ok()) return failure_;
  }
  const uint32_t number = call->place.step;
  const EnsembleStep& step = context_.graph.step(number);
  ASSIGN_OR_RETURN(RequestPtr request, context_.runner->NewRequest(step.model_name, step.model_version));
  call->is_batched = request->signature().is_batched();
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (call->inputs[i].is_present())
      RETURN_IF_ERROR(call->inputs[i].AddTo(request.get(), step.inputs[i].first));
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    if (call->needs[i]) RETURN_IF_ERROR(request->AddRequestedOutput(step.outputs[i].first.c_str()));
  }
  CopyProperties(request.get());
  if (InferenceTrace* const trace = request_->trace()) request->SetTrace(trace->SpawnChild());
  request->set_parent(&call->parent);
  request->set_delivery({context_.allocator, nullptr, &EnsembleRun::OnResponse, call});
  request->AddReleaseCallback(&EnsembleRun::OnRelease, call);
  return request;
}

void EnsembleRun::CopyProperties(InferenceRequest* step) const {
  if (!request_->id().empty()) step->set_id(request_->id().c_str());
  step->set_flags(request_->flags());
  step->set_priority(request_->priority());
  step->set_timeout_us(request_->timeout_us());
  if (request_->correlation_text().empty()) {
    step->set_correlation_id(request_->correlation_id());
  } else {
    step->set_correlation_id(request_->correlation_text().c_str());
  }
  for (size_t i = 0; i < request_->parameter_count(); ++i) step->AddParameter() = request_->parameter(i);
}

// Which step of which ensemble, and what of its inputs was never made.
Status EnsembleRun::Explain(const StepCall& call, const Status& status) const {
  const EnsembleStep& step = context_.graph.step(call.place.step);
  std::string text = "ensemble '" + context_.signature->name + "', step " + std::to_string(call.place.step) +
                     " (model '" + step.model_name + "'): " + status.message();
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (call.inputs[i].is_present()) continue;
    const uint32_t producer = context_.graph.producer(context_.graph.inputs(call.place.step)[i]);
    text += "; tensor '" + step.inputs[i].second + "' for input '" + step.inputs[i].first +
            "' is absent, since " +
            (producer == EnsembleGraph::kNone
                 ? "the request does not bring it"
                 : "step " + std::to_string(producer) + " (model '" +
                       context_.graph.step(producer).model_name + "') left it out of its response");
  }
  return {status.code(), std::move(text)};
}

void EnsembleRun::EndUnsent(std::unique_ptr<StepCall> call, const Status& status) {
  {
    MutexLock lock(&mutex_);
    Fail(Explain(*call, status));
    --running_;
  }
  Deliver();
  call.reset();
  Unreference();
}

void EnsembleRun::OnResponse(InferenceResponse* raw, uint32_t flags, void* userp) {
  auto* const call = static_cast<StepCall*>(userp);
  const bool is_final = (flags & kResponseFinal) != 0;
  EnsembleRun* const run = call->run;
  run->Receive(call, InferenceResponse::Ptr(raw), is_final);
  if (is_final) run->EndPart(call);
}

void EnsembleRun::Receive(StepCall* call, InferenceResponse::Ptr response, bool is_final) {
  const bool is_decoupled = context_.graph.step(call->place.step).is_decoupled;
  Launches launches;
  {
    MutexLock lock(&mutex_);
    if (response && !response->error().ok()) {
      Fail(Explain(*call, response->error()));
    } else if (response && failure_.ok()) {
      Settle(call, std::move(response));
    }
    if (is_final) {
      --running_;
      if (failure_.ok()) progress_.Finish(call->place);
    }
    launches = GoOn();
    if (waiting_ > 0) room_.NotifyAll();
  }
  Act(std::move(launches));
  if (is_decoupled && !is_final) WaitForRoom(call->place.step);
}

void EnsembleRun::Settle(StepCall* call, InferenceResponse::Ptr response) {
  const uint32_t number = call->place.step;
  const EnsembleStep& step = context_.graph.step(number);
  // An answer of a decoupled step that has nothing in it says at most that it is the last.
  if (step.is_decoupled && response->output_count() == 0) return;
  if (!step.is_decoupled && std::exchange(call->has_answered, true)) {
    return Fail(
        Explain(*call, InternalError("the model sent a second response, though it is not decoupled")));
  }
  const uint32_t scope = progress_.Answer(call->place);
  if (scope >= tensors_.size()) tensors_.resize(scope + 1);
  tensors_[scope].resize(context_.graph.tensor_count());
  const EnsembleTensor::SharedResponse shared(std::move(response));
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const uint32_t tensor = context_.graph.outputs(number)[i];
    size_t output = 0;
    while (output < shared->output_count() && shared->output(output).name() != step.outputs[i].first)
      ++output;
    const bool is_present = output < shared->output_count();
    if (is_present && progress_.is_needed(tensor)) {
      tensors_[scope][tensor] = EnsembleTensor(shared, output, call->is_batched);
    }
    progress_.Settle(scope, tensor, is_present);
  }
}

void EnsembleRun::OnRelease(InferenceRequest* raw, uint32_t flags, void* userp) {
  if ((flags & kReleaseAll) == 0) return;
  auto* const call = static_cast<StepCall*>(userp);
  EnsembleRun* const run = call->run;
  run->AppendStepEvent(*raw, call->place.step);
  RequestPtr(raw).reset();
  {
    MutexLock lock(&run->mutex_);
    run->durations_.Add(call->parent.times);
  }
  run->EndPart(call);
}

void EnsembleRun::AppendStepEvent(const InferenceRequest& request, uint32_t step) {
  Event event;
  event.kind = EventKind::kStep;
  event.arrival_ns = request.arrival_ns;
  event.start_ns = request_->serial();
  event.id = request.serial();
  event.model = context_.model_number;
  event.instance = static_cast<uint8_t>(std::min(step, 255u));
  context_.events->Append(event);
}

void EnsembleRun::EndPart(StepCall* call) {
  if (call->parts_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  delete call;
  Unreference();
}

}  // namespace workbench
