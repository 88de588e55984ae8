// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend that writes down what it is called for. Answers OUT with IN.
#include <sched.h>

#include <chrono>
#include <condition_variable>
#include <cstring>

#include "testing/observations.h"
#include "triton/core/tritonbackend.h"

extern "C" __attribute__((visibility("default"))) workbench::Observations wb_observations;
workbench::Observations wb_observations;

namespace {

std::condition_variable met;

std::string NameOf(TRITONBACKEND_ModelInstance* instance) {
  const char* name = nullptr;
  TRITONBACKEND_ModelInstanceName(instance, &name);
  return name;
}

std::string PolicyOf(TRITONBACKEND_ModelInstance* instance) {
  TRITONSERVER_Message* message = nullptr;
  const char* text = nullptr;
  size_t byte_size = 0;
  TRITONBACKEND_ModelInstanceHostPolicy(instance, &message);
  TRITONSERVER_MessageSerializeToJson(message, &text, &byte_size);
  return std::string(text, byte_size);
}

int AllowedCores() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

// Waits, not for ever, until as many are here as are to meet.
void Meet(std::unique_lock<std::mutex>* lock) {
  ++wb_observations.met;
  met.notify_all();
  met.wait_for(*lock, std::chrono::seconds(2), [] { return wb_observations.met >= wb_observations.meet; });
}

std::string Answer(TRITONBACKEND_Request* request) {
  TRITONBACKEND_Input* input = nullptr;
  const int64_t* shape = nullptr;
  TRITONSERVER_DataType type;
  uint32_t rank = 0;
  uint64_t byte_size = 0;
  TRITONBACKEND_Response* response = nullptr;
  TRITONBACKEND_Output* output = nullptr;
  const void* source = nullptr;
  void* target = nullptr;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  TRITONBACKEND_RequestInput(request, "IN", &input);
  TRITONBACKEND_InputProperties(input, nullptr, &type, &shape, &rank, &byte_size, nullptr);
  TRITONBACKEND_ResponseNew(&response, request);
  TRITONBACKEND_ResponseOutput(response, &output, "OUT", type, shape, rank);
  TRITONBACKEND_OutputBuffer(output, &target, byte_size, &memory_type, &memory_type_id);
  TRITONBACKEND_InputBuffer(input, 0, &source, &byte_size, &memory_type, &memory_type_id);
  std::memcpy(target, source, byte_size);
  TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, nullptr);
  return std::string(static_cast<const char*>(source), 4);
}

}  // namespace

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_Initialize(TRITONBACKEND_Backend* backend) {
  if (!wb_observations.blocks_device) return nullptr;
  return TRITONBACKEND_BackendSetExecutionPolicy(backend, TRITONBACKEND_EXECUTION_DEVICE_BLOCKING);
}

TRITONSERVER_Error* TRITONBACKEND_GetBackendAttribute(TRITONBACKEND_Backend*,
                                                      TRITONBACKEND_BackendAttribute* attributes) {
  return TRITONBACKEND_BackendAttributeSetParallelModelInstanceLoading(attributes,
                                                                       wb_observations.loads_in_parallel);
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance* instance) {
  std::unique_lock<std::mutex> lock(wb_observations.mutex);
  if (wb_observations.meet > 0) Meet(&lock);
  const std::string name = NameOf(instance);
  if (name == wb_observations.refuses_instance) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_NOT_FOUND, "no weights");
  }
  wb_observations.initialized.push_back(name);
  wb_observations.policies[name] = PolicyOf(instance);
  return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceFinalize(TRITONBACKEND_ModelInstance* instance) {
  const std::lock_guard<std::mutex> lock(wb_observations.mutex);
  wb_observations.finalized.push_back(NameOf(instance));
  return nullptr;
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance* instance,
                                                       TRITONBACKEND_Request** requests,
                                                       const uint32_t count) {
  const std::string name = NameOf(instance);
  {
    const std::lock_guard<std::mutex> lock(wb_observations.mutex);
    wb_observations.threads[name].insert(std::this_thread::get_id());
    wb_observations.executions[name].push_back(static_cast<int>(count));
    wb_observations.allowed_cores[name] = AllowedCores();
    if (wb_observations.fails_executions > 0) {
      --wb_observations.fails_executions;
      return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "not today");
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    const std::string bytes = Answer(requests[i]);
    TRITONBACKEND_ModelInstanceReportStatistics(instance, requests[i], true, 0, 0, 0, 0);
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
    const std::lock_guard<std::mutex> lock(wb_observations.mutex);
    wb_observations.first_bytes[name].push_back(bytes);
  }
  TRITONBACKEND_ModelInstanceReportBatchStatistics(instance, count, 0, 0, 0, 0);
  return nullptr;
}

}  // extern "C"
