// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Backend: an opened and initialised backend library, behind a TRITONBACKEND_Backend handle. Shared by the
// models that use it and by the engine's table of what is open; finalised when the last of them lets go.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "model/backend_library.h"
#include "model/memory_manager.h"

namespace workbench {

class Backend {
 public:
  struct Options {
    std::string name;
    std::string path;         // of the shared object
    std::string config_json;  // what TRITONBACKEND_BackendConfig tells
  };

  // Opens the library and runs TRITONBACKEND_Initialize. Borrows the pools.
  static Result<std::shared_ptr<Backend>> Create(const Options& options, MemoryPools& pools);
  ~Backend();

  const std::string& name() const { return name_; }
  const std::string& folder() const { return folder_; }
  const BackendLibrary& library() const { return library_; }
  Message* config() { return &config_; }
  MemoryManager* memory_manager() { return &memory_manager_; }

  void* state() const { return state_; }
  void set_state(void* state) { state_ = state; }
  TRITONBACKEND_ExecutionPolicy execution_policy() const { return execution_policy_; }
  void set_execution_policy(TRITONBACKEND_ExecutionPolicy policy) { execution_policy_ = policy; }
  bool loads_instances_in_parallel() const { return loads_instances_in_parallel_; }
  void set_loads_instances_in_parallel(bool is_parallel) { loads_instances_in_parallel_ = is_parallel; }
  // Instance groups for models that name none, in order of preference.
  struct InstanceGroup {
    TRITONSERVER_InstanceGroupKind kind;
    uint64_t count;  // 0: the core decides
    std::vector<uint64_t> device_ids;
  };
  const std::vector<InstanceGroup>& preferred_groups() const { return preferred_groups_; }
  void AddPreferredGroup(InstanceGroup group) { preferred_groups_.push_back(std::move(group)); }

 private:
  Backend(const Options& options, BackendLibrary library, MemoryPools& pools);
  TRITONBACKEND_Backend* handle() { return ToHandle<TRITONBACKEND_Backend>(this); }

  const std::string name_;
  const std::string folder_;
  const BackendLibrary library_;
  Message config_;
  MemoryManager memory_manager_;
  void* state_ = nullptr;
  TRITONBACKEND_ExecutionPolicy execution_policy_ = TRITONBACKEND_EXECUTION_BLOCKING;
  std::vector<InstanceGroup> preferred_groups_;
  bool loads_instances_in_parallel_ = false;
  bool is_initialized_ = false;
};

}  // namespace workbench
