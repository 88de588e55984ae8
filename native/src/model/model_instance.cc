// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_instance.h"

#include <algorithm>
#include <utility>

#include "memory/memory_owner.h"

namespace workbench {
namespace {

// The instance that this thread executes. A pointer: the core's thread-local space is scarce.
thread_local const ModelInstance* current_instance = nullptr;

uint16_t Saturated(uint32_t value) { return static_cast<uint16_t>(std::min(value, 65535u)); }

std::string PolicyName(const ModelInstance::Options& options) {
  if (!options.host_policy.empty()) return options.host_policy;
  if (options.kind == TRITONSERVER_INSTANCEGROUPKIND_GPU) return "gpu_" + std::to_string(options.device_id);
  return options.kind == TRITONSERVER_INSTANCEGROUPKIND_MODEL ? "model" : "cpu";
}

void TraceBackendInputs(InferenceRequest* request) {
  if (request->trace()->wants_tensors()) request->TraceInputs(TraceActivity::kTensorBackendInput);
}

void TraceExecution(InferenceTrace* trace, const ExecutionTimes& times) {
  trace->Report(TraceActivity::kComputeStart, times.start_ns);
  trace->Report(TraceActivity::kComputeInputEnd, times.compute_start_ns);
  trace->Report(TraceActivity::kComputeOutputStart, times.compute_end_ns);
  trace->Report(TraceActivity::kComputeEnd, times.end_ns);
}

}  // namespace

ModelInstance::ModelInstance(const Options& options, const Context& context)
    : options_(options), context_(context), statistics_(context.max_batch_size) {}

Result<std::unique_ptr<ModelInstance>> ModelInstance::Create(const Options& options, const Context& context) {
  std::unique_ptr<ModelInstance> instance(new ModelInstance(options, context));
  RETURN_IF_ERROR(instance->Initialize());
  return instance;
}

Status ModelInstance::Initialize() {
  const std::string policy = PolicyName(options_);
  const HostPolicySettings settings = SettingsOf(context_.host_policies, policy);
  host_policy_.json = "{" + Quoted(policy) + ":" + JsonOf(settings) + "}";
  ASSIGN_OR_RETURN(placement_, ThreadPlacement::Parse(settings));
  if (context_.gate) {
    ASSIGN_OR_RETURN(rate_limit_seat_,
                     RateLimitSeat::Create(context_.gate, options_.limit, options_.device_id));
  }
  const ScopedMemoryOwner owner(context_.model_number, memory_owner());
  const ScopedThreadPlacement placed(placement_);  // what it allocates now lies where its thread will run
  RETURN_IF_ERROR(placed.status());
  RETURN_IF_ERROR(context_.backend->library().InstanceInitialize(handle()));
  is_initialized_ = true;
  return OkStatus();
}

ModelInstance::~ModelInstance() {
  // A failing Finalize has nobody left to tell.
  if (is_initialized_) (void)context_.backend->library().InstanceFinalize(handle());
}

const ModelInstance* ModelInstance::Current() { return current_instance; }

bool ModelInstance::is_own_thread() const { return current_instance == this; }

void ModelInstance::Execute(Batch batch) {
  batch_ = std::move(batch);
  Execute();
}

void ModelInstance::Execute() {
  current_instance = this;
  const ScopedMemoryOwner owner(context_.model_number, memory_owner());
  if (context_.nvtx == nullptr) return ExecuteUnnamed();
  // With the names that a profiler shows.
  const NvtxRange range(context_.nvtx,
                        options_.name + ": " + std::to_string(batch_.requests.size()) + " requests");
  ExecuteUnnamed();
}

// Answers those that were cancelled while they waited; the others stay in the batch.
void ModelInstance::DropCancelled() {
  auto& requests = batch_.requests;
  auto is_alive = [](InferenceRequest* request) {
    if (!request->is_cancelled()) return true;
    InferenceRequest::Fail(RequestPtr(request), CancelledError("the request was cancelled while it waited"));
    return false;
  };
  requests.erase(std::stable_partition(requests.begin(), requests.end(), is_alive), requests.end());
}

// Without those that only keep a place.
uint16_t ModelInstance::RequestCount() const {
  size_t count = batch_.requests.size();
  if (batch_.is_of_sequences) {
    for (const InferenceRequest* request : batch_.requests) count -= request->is_null();
  }
  return Saturated(static_cast<uint32_t>(count));
}

void ModelInstance::ExecuteUnnamed() {
  if (!batch_.is_of_sequences) DropCancelled();
  if (batch_.requests.empty()) return;
  const auto size = static_cast<uint32_t>(batch_.requests.size());
  const uint16_t count = RequestCount();
  const uint64_t oldest_ns = batch_.requests.front()->arrival_ns;
  start_ns_ = reports_times_ ? 0 : context_.clock->NowNs();
  reported_ = ExecutionTimes();
  ++executions_;
  uint32_t rows = 0;
  serials_.clear();
  for (InferenceRequest* request : batch_.requests) {
    request->execution = {start_ns_, executions_, count, batch_.reason, false};
    rows += request->rows;
    if (request->trace() != nullptr) TraceBackendInputs(request);
    serials_.push_back(request->serial());
  }
  auto** const requests = reinterpret_cast<TRITONBACKEND_Request**>(batch_.requests.data());
  if (context_.nvtx != nullptr) context_.nvtx->Push("execute");
  const Status status = context_.backend->library().Execute(handle(), requests, size);
  if (context_.nvtx != nullptr) context_.nvtx->Pop();
  if (!status.ok()) Refuse(status);
  if (count > 1) AppendBatchEvent(oldest_ns, count, rows);
}

// The backend took nothing: every request is still ours to answer. One that fails to keep to that has
// released some, which are somebody else's by now.
void ModelInstance::Refuse(const Status& status) {
  const uint64_t now_ns = context_.clock->NowNs();
  for (size_t i = 0; i < serials_.size(); ++i) {
    InferenceRequest* const request = batch_.requests[i];
    if (!request->is_in_inference() || request->serial() != serials_[i]) continue;
    const bool waits_again = batch_.is_of_sequences && !request->is_null() && request->sequence == nullptr;
    if (waits_again) continue;
    ReportRequest(request, false, {request->execution.start_ns, now_ns, now_ns, now_ns});
    InferenceRequest::Fail(RequestPtr(request), status);
  }
}

void ModelInstance::AppendBatchEvent(uint64_t arrival_ns, uint16_t count, uint32_t rows) {
  ExecutionTimes times = reported_;
  if (times.end_ns == 0) {
    times.end_ns = context_.clock->NowNs();
    times.start_ns = start_ns_ != 0 ? start_ns_ : times.end_ns;
    times.compute_start_ns = times.start_ns;
    times.compute_end_ns = times.end_ns;
  }
  Event event;
  event.kind = EventKind::kBatch;
  event.arrival_ns = arrival_ns;
  event.start_ns = times.start_ns;
  event.compute_start_ns = times.compute_start_ns;
  event.compute_end_ns = times.compute_end_ns;
  event.end_ns = times.end_ns;
  event.batch = executions_;
  event.rows = Saturated(rows);
  event.count = count;
  event.model = context_.model_number;
  event.instance = static_cast<uint8_t>(context_.index);
  event.detail = static_cast<uint8_t>(batch_.reason);
  context_.events->Append(event);
}

void ModelInstance::ReportRequest(InferenceRequest* request, bool success, ExecutionTimes times) {
  if (request->is_null()) return;
  if (times.start_ns < request->arrival_ns) {  // zeros, or a clock that is not the steady one
    const uint64_t now_ns = context_.clock->NowNs();
    const uint64_t start_ns = request->execution.start_ns != 0 ? request->execution.start_ns : now_ns;
    times = {start_ns, start_ns, now_ns, now_ns};
  }
  statistics_.CountRequest(is_own_thread(), success, request->arrival_ns, request->rows, times);
  if (context_.latencies != nullptr && success) context_.latencies->Observe(request->arrival_ns, times);
  if (InferenceTrace* const trace = request->trace()) TraceExecution(trace, times);
  request->execution.is_reported = true;
  if (request->parent() != nullptr) request->parent()->times = times;
  Event event;
  event.kind = EventKind::kRequest;
  event.arrival_ns = request->arrival_ns;
  event.start_ns = times.start_ns;
  event.compute_start_ns = times.compute_start_ns;
  event.compute_end_ns = times.compute_end_ns;
  event.end_ns = times.end_ns;
  event.id = request->serial();
  event.batch = request->execution.batch;
  event.rows = Saturated(request->rows);
  event.count = request->execution.count;
  event.model = context_.model_number;
  event.instance = static_cast<uint8_t>(context_.index);
  event.detail = static_cast<uint8_t>(request->execution.reason);
  event.status = static_cast<uint8_t>(success ? StatusCode::kOk : StatusCode::kInternal);
  event.priority = static_cast<uint8_t>(std::min<uint64_t>(request->priority(), 255));
  context_.events->Append(event);
}

void ModelInstance::ReportExecution(uint64_t rows, ExecutionTimes times) {
  const bool has_times = times.end_ns > 0 && times.start_ns > 0;
  if (!has_times) {
    const uint64_t now_ns = context_.clock->NowNs();
    const uint64_t start_ns = is_own_thread() && start_ns_ != 0 ? start_ns_ : now_ns;
    times = {start_ns, start_ns, now_ns, now_ns};
  }
  statistics_.CountExecution(is_own_thread(), std::max<uint64_t>(rows, 1),
                             times);  // 0: a model without batching
  if (!is_own_thread()) return;
  reported_ = times;
  reports_times_ = has_times;
}

}  // namespace workbench
