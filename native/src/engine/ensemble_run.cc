// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ensemble_run.h"

#include <algorithm>
#include <utility>

#include "engine/ensemble_step_call.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL
// How long a producer that is held back sleeps before it looks whether its request was cancelled.
constexpr uint64_t kCancellationLookNs = 20'000'000;

std::vector<bool> WantedOf(const InferenceRequest& request, const ModelSignature& signature) {
  std::vector<bool> wanted(signature.outputs.size());
  for (size_t i = 0; i < request.output_count(); ++i) {
    wanted[static_cast<size_t>(&request.output(i) - signature.outputs.data())] = true;
  }
  return wanted;
}

}  // namespace

void EnsembleRun::Start(EnsembleContext& context, RequestPtr request) {
  auto* const run = new EnsembleRun(context, std::move(request));
  Launches launches;
  {
    MutexLock lock(&run->mutex_);
    run->SettleInputs();
    launches = run->GoOn();
  }
  run->Act(std::move(launches));
  run->Unreference();
}

EnsembleRun::EnsembleRun(EnsembleContext& context, RequestPtr request)
    : context_(context),
      request_(std::move(request)),
      wanted_(WantedOf(*request_, *context.signature)),
      start_ns_(context.clock->NowNs()),
      progress_(context.graph, wanted_) {}

EnsembleRun::~EnsembleRun() = default;

void EnsembleRun::SettleInputs() {
  tensors_.resize(1);
  tensors_[0].resize(context_.graph.tensor_count());
  for (uint32_t tensor = 0; tensor < context_.signature->inputs.size(); ++tensor) {
    const RequestInput* const input = request_->FindInput(context_.signature->inputs[tensor].name.c_str());
    if (input != nullptr) tensors_[0][tensor] = EnsembleTensor(*input, context_.signature->is_batched());
    progress_.Settle(0, tensor, input != nullptr);
  }
}

EnsembleRun::Launches EnsembleRun::GoOn() {
  Launches launches;
  if (!failure_.ok()) return launches;
  while (const auto place = progress_.TakeReady()) launches.push_back(NewCall(*place));
  while (const auto scope = progress_.TakeAnswer()) {
    std::vector<EnsembleTensor> answer(wanted_.size());
    for (size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i]) answer[i] = Take(*scope, context_.graph.answer()[i]);
    }
    answers_.push_back(std::move(answer));
  }
  running_ += static_cast<uint32_t>(launches.size());
  return launches;
}

std::unique_ptr<EnsembleRun::StepCall> EnsembleRun::NewCall(const Place& place) {
  auto call = std::make_unique<StepCall>();
  call->run = this;
  call->place = place;
  for (uint32_t tensor : context_.graph.inputs(place.step)) call->inputs.push_back(Take(place.scope, tensor));
  for (uint32_t tensor : context_.graph.outputs(place.step))
    call->needs.push_back(progress_.is_needed(tensor));
  call->parent.request = request_.get();
  references_.fetch_add(1, std::memory_order_relaxed);
  return call;
}

EnsembleTensor EnsembleRun::Take(uint32_t scope, uint32_t tensor) {
  EnsembleTensor& held = tensors_[scope][tensor];
  return progress_.Take(scope, tensor) ? std::exchange(held, EnsembleTensor()) : held;
}

void EnsembleRun::Act(Launches launches) {
  for (auto& call : launches) Launch(std::move(call));
  Deliver();
}

// What decoupled steps still send is of no use to anybody: cancelling the request tells them.
void EnsembleRun::Fail(const Status& status) {
  if (!failure_.ok()) return;
  failure_ = status;
  answers_.clear();
  if (context_.graph.answer_origin() != EnsembleGraph::kNone) request_->Cancel();
  if (waiting_ > 0) room_.NotifyAll();
}

// Holds the producer's thread until few enough of its answers are under way.
void EnsembleRun::WaitForRoom(uint32_t step) {
  const uint32_t limit = context_.graph.options().max_inflight_requests;
  if (limit == 0 || !context_.graph.has_own_model(step)) return;
  MutexLock lock(&mutex_);
  ++waiting_;
  while (failure_.ok() && progress_.open_scopes(step) >= limit && !request_->is_cancelled()) {
    room_.WaitUntil(&mutex_, SteadyClock::Read() + kCancellationLookNs);
  }
  --waiting_;
}

void EnsembleRun::Unreference() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) Close();
}

void EnsembleRun::Close() {
  RequestPtr request;
  {
    MutexLock lock(&mutex_);
    Report();
    request = std::move(request_);
  }
  delete this;
  InferenceRequest::Release(std::move(request), kReleaseAll);
}

// The ensemble counts as one execution; what it computed is what its steps computed.
void EnsembleRun::Report() {
  const bool success = failure_.ok();
  ExecutionTimes times;
  times.start_ns = times.compute_start_ns = start_ns_;
  times.end_ns = times.compute_end_ns = context_.clock->NowNs();
  context_.statistics->CountComposed(success, request_->arrival_ns, times, request_->rows, durations_);
  if (InferenceRequest::Parent* const parent = request_->parent()) {
    const uint64_t infer_ns = start_ns_ + durations_.input_ns;
    parent->times = {start_ns_, infer_ns, infer_ns + durations_.infer_ns,
                     infer_ns + durations_.infer_ns + durations_.output_ns};
  }
  request_->execution.is_reported = true;
  Event event;
  event.kind = EventKind::kRequest;
  event.arrival_ns = request_->arrival_ns;
  event.start_ns = event.compute_start_ns = start_ns_;
  event.compute_end_ns = event.end_ns = times.end_ns;
  event.id = request_->serial();
  event.rows = static_cast<uint16_t>(std::min(request_->rows, 65535u));
  event.model = context_.model_number;
  event.status = static_cast<uint8_t>(failure_.code());
  event.priority = static_cast<uint8_t>(std::min<uint64_t>(request_->priority(), 255));
  context_.events->Append(event);
}

}  // namespace workbench
