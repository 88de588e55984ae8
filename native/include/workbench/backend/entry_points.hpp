// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that the core calls, made out of a backend's classes by WORKBENCH_BACKEND.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "workbench/backend/batch.hpp"

namespace workbench::detail {

// Throws UNSUPPORTED where the server is older than these headers.
void RequireInterface();

// For backends that keep nothing per model.
struct NoState {};

template <typename State>
std::unique_ptr<State> MakeModelState(Model& model) {
  if constexpr (std::is_constructible_v<State, Model&>) {
    return std::make_unique<State>(model);
  } else {
    return std::make_unique<State>();
  }
}

template <typename State, typename ModelState>
std::unique_ptr<State> MakeInstanceState(ModelState& model_state, const Instance& instance) {
  if constexpr (std::is_constructible_v<State, ModelState&, const Instance&>) {
    return std::make_unique<State>(model_state, instance);
  } else if constexpr (std::is_constructible_v<State, ModelState&>) {
    return std::make_unique<State>(model_state);
  } else if constexpr (std::is_constructible_v<State, const Instance&>) {
    return std::make_unique<State>(instance);
  } else {
    return std::make_unique<State>();
  }
}

template <typename State, typename = void>
struct TakesBatch : std::false_type {};
template <typename State>
struct TakesBatch<State, std::void_t<decltype(std::declval<State&>().Execute(std::declval<Batch&>()))>>
    : std::true_type {};

// A backend that wants to know when the requests of an execution are no more its own has Released().
template <typename State, typename = void>
struct HearsOfRelease : std::false_type {};
template <typename State>
struct HearsOfRelease<State, std::void_t<decltype(std::declval<State&>().Released())>> : std::true_type {};

template <typename State, typename ModelState = NoState>
class EntryPoints {
 public:
  static TRITONSERVER_Error* Initialize(TRITONBACKEND_Backend*) noexcept { return Guard(RequireInterface); }

  static TRITONSERVER_Error* ModelInitialize(TRITONBACKEND_Model* handle) noexcept {
    return Guard([handle] {
      auto holder = std::make_unique<ModelHolder>(handle);
      Check(TRITONBACKEND_ModelSetState(handle, holder.get()));
      static_cast<void>(holder.release());  // ModelFinalize takes it back
    });
  }

  static TRITONSERVER_Error* ModelFinalize(TRITONBACKEND_Model* handle) noexcept {
    return Guard([handle] {
      const std::unique_ptr<ModelHolder> holder(HolderOf(handle));
      Check(TRITONBACKEND_ModelSetState(handle, nullptr));
    });
  }

  static TRITONSERVER_Error* ModelInstanceInitialize(TRITONBACKEND_ModelInstance* handle) noexcept {
    return Guard([handle] {
      TRITONBACKEND_Model* model = nullptr;
      Check(TRITONBACKEND_ModelInstanceModel(handle, &model));
      auto holder = std::make_unique<InstanceHolder>(handle, *HolderOf(model));
      Check(TRITONBACKEND_ModelInstanceSetState(handle, holder.get()));
      static_cast<void>(holder.release());  // ModelInstanceFinalize takes it back
    });
  }

  static TRITONSERVER_Error* ModelInstanceFinalize(TRITONBACKEND_ModelInstance* handle) noexcept {
    return Guard([handle] {
      const std::unique_ptr<InstanceHolder> holder(HolderOf(handle));
      Check(TRITONBACKEND_ModelInstanceSetState(handle, nullptr));
    });
  }

  static TRITONSERVER_Error* Execute(TRITONBACKEND_ModelInstance* handle, TRITONBACKEND_Request** requests,
                                     uint32_t count) noexcept {
    return Guard([=] {
      InstanceHolder& holder = *HolderOf(handle);
      Batch& batch = holder.batch;
      batch.Begin(requests, count);
      batch.Run([&] {
        if constexpr (TakesBatch<State>::value) {
          holder.state->Execute(batch);
        } else {
          batch.ForEach([&](Request& request) { holder.state->Execute(request); });
        }
      });
      batch.End();
      if constexpr (HearsOfRelease<State>::value) holder.state->Released();
    });
  }

 private:
  struct ModelHolder {
    explicit ModelHolder(TRITONBACKEND_Model* handle)
        : model(handle), state(MakeModelState<ModelState>(model)) {}
    Model model;
    std::unique_ptr<ModelState> state;
  };
  struct InstanceHolder {
    InstanceHolder(TRITONBACKEND_ModelInstance* handle, ModelHolder& model)
        : instance(handle, model.model),
          batch(instance),
          state(MakeInstanceState<State>(*model.state, instance)) {}
    Instance instance;
    Batch batch;
    std::unique_ptr<State> state;
  };

  static ModelHolder* HolderOf(TRITONBACKEND_Model* handle) {
    void* state = nullptr;
    Check(TRITONBACKEND_ModelState(handle, &state));
    return static_cast<ModelHolder*>(state);
  }
  static InstanceHolder* HolderOf(TRITONBACKEND_ModelInstance* handle) {
    void* state = nullptr;
    Check(TRITONBACKEND_ModelInstanceState(handle, &state));
    return static_cast<InstanceHolder*>(state);
  }
};

}  // namespace workbench::detail

// WORKBENCH_BACKEND(InstanceState) or WORKBENCH_BACKEND(InstanceState, ModelState), once, outside any
// namespace.
#define WORKBENCH_BACKEND(...)                                                                        \
  extern "C" {                                                                                        \
  TRITONSERVER_Error* TRITONBACKEND_Initialize(TRITONBACKEND_Backend* backend) {                      \
    return ::workbench::detail::EntryPoints<__VA_ARGS__>::Initialize(backend);                        \
  }                                                                                                   \
  TRITONSERVER_Error* TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model* model) {                     \
    return ::workbench::detail::EntryPoints<__VA_ARGS__>::ModelInitialize(model);                     \
  }                                                                                                   \
  TRITONSERVER_Error* TRITONBACKEND_ModelFinalize(TRITONBACKEND_Model* model) {                       \
    return ::workbench::detail::EntryPoints<__VA_ARGS__>::ModelFinalize(model);                       \
  }                                                                                                   \
  TRITONSERVER_Error* TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance* instance) {  \
    return ::workbench::detail::EntryPoints<__VA_ARGS__>::ModelInstanceInitialize(instance);          \
  }                                                                                                   \
  TRITONSERVER_Error* TRITONBACKEND_ModelInstanceFinalize(TRITONBACKEND_ModelInstance* instance) {    \
    return ::workbench::detail::EntryPoints<__VA_ARGS__>::ModelInstanceFinalize(instance);            \
  }                                                                                                   \
  TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance* instance,       \
                                                         TRITONBACKEND_Request** requests,            \
                                                         const uint32_t request_count) {              \
    return ::workbench::detail::EntryPoints<__VA_ARGS__>::Execute(instance, requests, request_count); \
  }                                                                                                   \
  }  // extern "C"

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/entry_points.hpp"
#endif
