// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a backend asks of itself: name, configuration, state, memory.
#include "model/backend.h"

#include "capi/error.h"

namespace workbench {
namespace {

Backend& Unwrap(TRITONBACKEND_Backend* backend) { return *FromHandle<Backend>(backend); }
MemoryManager& Unwrap(TRITONBACKEND_MemoryManager* manager) { return *FromHandle<MemoryManager>(manager); }

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_BackendName(TRITONBACKEND_Backend* backend, const char** name) {
  return Guard([&] {
    *name = Unwrap(backend).name().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendConfig(TRITONBACKEND_Backend* backend,
                                                TRITONSERVER_Message** backend_config) {
  return Guard([&] {
    *backend_config = ToHandle<TRITONSERVER_Message>(Unwrap(backend).config());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendExecutionPolicy(TRITONBACKEND_Backend* backend,
                                                         TRITONBACKEND_ExecutionPolicy* policy) {
  return Guard([&] {
    *policy = Unwrap(backend).execution_policy();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendSetExecutionPolicy(TRITONBACKEND_Backend* backend,
                                                            TRITONBACKEND_ExecutionPolicy policy) {
  return Guard([&] {
    Unwrap(backend).set_execution_policy(policy);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendArtifacts(TRITONBACKEND_Backend* backend,
                                                   TRITONBACKEND_ArtifactType* artifact_type,
                                                   const char** location) {
  return Guard([&] {
    *artifact_type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
    *location = Unwrap(backend).folder().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendMemoryManager(TRITONBACKEND_Backend* backend,
                                                       TRITONBACKEND_MemoryManager** manager) {
  return Guard([&] {
    *manager = ToHandle<TRITONBACKEND_MemoryManager>(Unwrap(backend).memory_manager());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendState(TRITONBACKEND_Backend* backend, void** state) {
  return Guard([&] {
    *state = Unwrap(backend).state();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendSetState(TRITONBACKEND_Backend* backend, void* state) {
  return Guard([&] {
    Unwrap(backend).set_state(state);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendAttributeSetParallelModelInstanceLoading(
    TRITONBACKEND_BackendAttribute* backend_attributes, bool enabled) {
  return Guard([&] {
    FromHandle<Backend>(backend_attributes)->set_loads_instances_in_parallel(enabled);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
    TRITONBACKEND_BackendAttribute* backend_attributes, const TRITONSERVER_InstanceGroupKind kind,
    const uint64_t count, const uint64_t* device_ids, const uint64_t id_count) {
  return Guard([&] {
    FromHandle<Backend>(backend_attributes)
        ->AddPreferredGroup({kind, count, std::vector<uint64_t>(device_ids, device_ids + id_count)});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_MemoryManagerAllocate(TRITONBACKEND_MemoryManager* manager, void** buffer,
                                                        const TRITONSERVER_MemoryType memory_type,
                                                        const int64_t memory_type_id,
                                                        const uint64_t byte_size) {
  return Guard([&] {
    return Assign(Unwrap(manager).Allocate({static_cast<MemoryType>(memory_type), memory_type_id}, byte_size),
                  buffer);
  });
}

TRITONSERVER_Error* TRITONBACKEND_MemoryManagerFree(TRITONBACKEND_MemoryManager* manager, void* buffer,
                                                    const TRITONSERVER_MemoryType memory_type,
                                                    const int64_t memory_type_id) {
  return Guard([&] { return Unwrap(manager).Free(buffer); });
}

}  // extern "C"
