// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a backend asks of an instance, and reports of what it did.
#include "model/model_instance.h"

#include "capi/error.h"
#include "model/model.h"

namespace workbench {
namespace {

ModelInstance& Unwrap(TRITONBACKEND_ModelInstance* instance) { return *FromHandle<ModelInstance>(instance); }

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceName(TRITONBACKEND_ModelInstance* instance,
                                                    const char** name) {
  return Guard([&] {
    *name = Unwrap(instance).options().name.c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceKind(TRITONBACKEND_ModelInstance* instance,
                                                    TRITONSERVER_InstanceGroupKind* kind) {
  return Guard([&] {
    *kind = Unwrap(instance).options().kind;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceDeviceId(TRITONBACKEND_ModelInstance* instance,
                                                        int32_t* device_id) {
  return Guard([&] {
    *device_id = Unwrap(instance).options().device_id;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceIsPassive(TRITONBACKEND_ModelInstance* instance,
                                                         bool* is_passive) {
  return Guard([&] {
    *is_passive = Unwrap(instance).options().is_passive;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceHostPolicy(TRITONBACKEND_ModelInstance* instance,
                                                          TRITONSERVER_Message** host_policy) {
  return Guard([&] {
    *host_policy = ToHandle<TRITONSERVER_Message>(Unwrap(instance).host_policy());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceModel(TRITONBACKEND_ModelInstance* instance,
                                                     TRITONBACKEND_Model** model) {
  return Guard([&] {
    *model = ToHandle<TRITONBACKEND_Model>(Unwrap(instance).model());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceState(TRITONBACKEND_ModelInstance* instance, void** state) {
  return Guard([&] {
    *state = Unwrap(instance).state();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceSetState(TRITONBACKEND_ModelInstance* instance, void* state) {
  return Guard([&] {
    Unwrap(instance).set_state(state);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportStatistics(
    TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_Request* request, const bool success,
    const uint64_t exec_start_ns, const uint64_t compute_start_ns, const uint64_t compute_end_ns,
    const uint64_t exec_end_ns) {
  return Guard([&] {
    Unwrap(instance).ReportRequest(FromHandle<InferenceRequest>(request), success,
                                   {exec_start_ns, compute_start_ns, compute_end_ns, exec_end_ns});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportBatchStatistics(
    TRITONBACKEND_ModelInstance* instance, const uint64_t batch_size, const uint64_t exec_start_ns,
    const uint64_t compute_start_ns, const uint64_t compute_end_ns, const uint64_t exec_end_ns) {
  return Guard([&] {
    Unwrap(instance).ReportExecution(batch_size,
                                     {exec_start_ns, compute_start_ns, compute_end_ns, exec_end_ns});
    return OkStatus();
  });
}

}  // extern "C"
