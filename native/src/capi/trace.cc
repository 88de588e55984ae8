// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Traces whose maker hears of them by functions.
#include "capi/error.h"
#include "inference/inference_trace.h"

namespace workbench {
namespace {

struct TraceFunctions {
  TRITONSERVER_InferenceTraceActivityFn_t on_activity = nullptr;
  TRITONSERVER_InferenceTraceTensorActivityFn_t on_tensor = nullptr;
  TRITONSERVER_InferenceTraceReleaseFn_t on_release = nullptr;
  void* userp = nullptr;
};

class CallbackTrace final : public InferenceTrace {
 public:
  CallbackTrace(uint32_t level, uint64_t parent_id, const TraceFunctions& functions)
      : InferenceTrace(level, parent_id), functions_(functions) {}

  void OnRelease() override { functions_.on_release(handle(), functions_.userp); }
  InferenceTrace* SpawnChild() override {
    auto* const child = new CallbackTrace(level(), id(), functions_);
    child->set_context(context().c_str());
    return child;
  }
  TRITONSERVER_InferenceTrace* handle() {
    return ToHandle<TRITONSERVER_InferenceTrace>(static_cast<InferenceTrace*>(this));
  }

 protected:
  void OnActivity(TraceActivity activity, uint64_t time_ns) override {
    functions_.on_activity(handle(), static_cast<TRITONSERVER_InferenceTraceActivity>(activity), time_ns,
                           functions_.userp);
  }
  // The interface has no way to tell the name.
  void OnCustomActivity(const std::string& name, uint64_t time_ns) override {
    OnActivity(TraceActivity::kCustomActivity, time_ns);
  }
  void OnTensor(TraceActivity activity, const TraceTensor& tensor) override {
    if (functions_.on_tensor == nullptr) return;
    functions_.on_tensor(handle(), static_cast<TRITONSERVER_InferenceTraceActivity>(activity), tensor.name,
                         static_cast<TRITONSERVER_DataType>(tensor.type), tensor.base, tensor.byte_size,
                         tensor.shape, tensor.rank, static_cast<TRITONSERVER_MemoryType>(tensor.place.type),
                         tensor.place.id, functions_.userp);
  }

 private:
  const TraceFunctions functions_;
};

InferenceTrace& Unwrap(TRITONSERVER_InferenceTrace* trace) { return *FromHandle<InferenceTrace>(trace); }

// The two old names of levels are those of the bits now.
uint32_t LevelBits(TRITONSERVER_InferenceTraceLevel level) {
  if (level == TRITONSERVER_TRACE_LEVEL_MIN || level == TRITONSERVER_TRACE_LEVEL_MAX) return kTraceTimestamps;
  return static_cast<uint32_t>(level);
}

Status NewTrace(TRITONSERVER_InferenceTraceLevel level, uint64_t parent_id, const TraceFunctions& functions,
                TRITONSERVER_InferenceTrace** trace) {
  const uint32_t bits = LevelBits(level);
  if ((bits & kTraceTensors) != 0 && functions.on_tensor == nullptr) {
    return InvalidArgumentError(
        "a trace of tensors needs a function for them: TRITONSERVER_InferenceTraceTensorNew");
  }
  *trace = (new CallbackTrace(bits, parent_id, functions))->handle();
  return OkStatus();
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

const char* TRITONSERVER_InferenceTraceLevelString(TRITONSERVER_InferenceTraceLevel level) {
  switch (static_cast<int>(level)) {
    case TRITONSERVER_TRACE_LEVEL_DISABLED:
      return "DISABLED";
    case TRITONSERVER_TRACE_LEVEL_MIN:
      return "MIN";
    case TRITONSERVER_TRACE_LEVEL_MAX:
      return "MAX";
    case TRITONSERVER_TRACE_LEVEL_TIMESTAMPS:
      return "TIMESTAMPS";
    case TRITONSERVER_TRACE_LEVEL_TENSORS:
      return "TENSORS";
    case TRITONSERVER_TRACE_LEVEL_TIMESTAMPS | TRITONSERVER_TRACE_LEVEL_TENSORS:
      return "TIMESTAMPS | TENSORS";
    default:
      return "<unknown>";
  }
}

const char* TRITONSERVER_InferenceTraceActivityString(TRITONSERVER_InferenceTraceActivity activity) {
  switch (activity) {
    case TRITONSERVER_TRACE_REQUEST_START:
      return "REQUEST_START";
    case TRITONSERVER_TRACE_QUEUE_START:
      return "QUEUE_START";
    case TRITONSERVER_TRACE_COMPUTE_START:
      return "COMPUTE_START";
    case TRITONSERVER_TRACE_COMPUTE_INPUT_END:
      return "COMPUTE_INPUT_END";
    case TRITONSERVER_TRACE_COMPUTE_OUTPUT_START:
      return "COMPUTE_OUTPUT_START";
    case TRITONSERVER_TRACE_COMPUTE_END:
      return "COMPUTE_END";
    case TRITONSERVER_TRACE_REQUEST_END:
      return "REQUEST_END";
    case TRITONSERVER_TRACE_TENSOR_QUEUE_INPUT:
      return "TENSOR_QUEUE_INPUT";
    case TRITONSERVER_TRACE_TENSOR_BACKEND_INPUT:
      return "TENSOR_BACKEND_INPUT";
    case TRITONSERVER_TRACE_TENSOR_BACKEND_OUTPUT:
      return "TENSOR_BACKEND_OUTPUT";
    case TRITONSERVER_TRACE_CUSTOM_ACTIVITY:
      return "CUSTOM_ACTIVITY";
  }
  return "<unknown>";
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceNew(TRITONSERVER_InferenceTrace** trace,
                                                   TRITONSERVER_InferenceTraceLevel level, uint64_t parent_id,
                                                   TRITONSERVER_InferenceTraceActivityFn_t activity_fn,
                                                   TRITONSERVER_InferenceTraceReleaseFn_t release_fn,
                                                   void* trace_userp) {
  return Guard([&] {
    return NewTrace(level, parent_id, {activity_fn, nullptr, release_fn, trace_userp}, trace);
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceTensorNew(
    TRITONSERVER_InferenceTrace** trace, TRITONSERVER_InferenceTraceLevel level, uint64_t parent_id,
    TRITONSERVER_InferenceTraceActivityFn_t activity_fn,
    TRITONSERVER_InferenceTraceTensorActivityFn_t tensor_activity_fn,
    TRITONSERVER_InferenceTraceReleaseFn_t release_fn, void* trace_userp) {
  return Guard([&] {
    return NewTrace(level, parent_id, {activity_fn, tensor_activity_fn, release_fn, trace_userp}, trace);
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceReportActivity(TRITONSERVER_InferenceTrace* trace,
                                                              uint64_t timestamp, const char* activity_name) {
  return Guard([&] {
    Unwrap(trace).ReportCustom(activity_name, timestamp);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceDelete(TRITONSERVER_InferenceTrace* trace) {
  return Guard([&] {
    delete &Unwrap(trace);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceId(TRITONSERVER_InferenceTrace* trace, uint64_t* id) {
  return Guard([&] {
    *id = Unwrap(trace).id();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceParentId(TRITONSERVER_InferenceTrace* trace,
                                                        uint64_t* parent_id) {
  return Guard([&] {
    *parent_id = Unwrap(trace).parent_id();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceModelName(TRITONSERVER_InferenceTrace* trace,
                                                         const char** model_name) {
  return Guard([&] {
    *model_name = Unwrap(trace).model_name().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceModelVersion(TRITONSERVER_InferenceTrace* trace,
                                                            int64_t* model_version) {
  return Guard([&] {
    *model_version = Unwrap(trace).model_version();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceRequestId(TRITONSERVER_InferenceTrace* trace,
                                                         const char** request_id) {
  return Guard([&] {
    *request_id = Unwrap(trace).request_id().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceSpawnChildTrace(TRITONSERVER_InferenceTrace* trace,
                                                               TRITONSERVER_InferenceTrace** child_trace) {
  return Guard([&] {
    *child_trace = ToHandle<TRITONSERVER_InferenceTrace>(Unwrap(trace).SpawnChild());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceSetContext(TRITONSERVER_InferenceTrace* trace,
                                                          const char* trace_context) {
  return Guard([&] {
    Unwrap(trace).set_context(trace_context);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_InferenceTraceContext(TRITONSERVER_InferenceTrace* trace,
                                                       const char** trace_context) {
  return Guard([&] {
    *trace_context = Unwrap(trace).context().c_str();
    return OkStatus();
  });
}

}  // extern "C"
