// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The server: its life (the control plane's business) and what the engine itself can say of it.
#include "base/message.h"
#include "capi/error.h"
#include "engine/control_plane.h"
#include "engine/engine.h"

namespace workbench {
namespace {

ServerOptions& Unwrap(TRITONSERVER_ServerOptions* options) { return *FromHandle<ServerOptions>(options); }
Engine& Unwrap(TRITONSERVER_Server* server) { return *FromHandle<Engine>(server); }

Status NewServer(const ServerOptions& options, TRITONSERVER_Server** server) {
  ASSIGN_OR_RETURN(const std::shared_ptr<ControlPlane> control, GetControlPlane());
  ASSIGN_OR_RETURN(EngineBridge* const engine, control->NewServer(options));
  *server = ToHandle<TRITONSERVER_Server>(static_cast<Engine*>(engine));
  return OkStatus();
}

Status Describe(TRITONSERVER_Server* server, const std::string& topic, const std::string& model,
                int64_t version, TRITONSERVER_Message** message) {
  ASSIGN_OR_RETURN(const std::shared_ptr<ControlPlane> control, GetControlPlane());
  ASSIGN_OR_RETURN(std::string json, control->Describe(&Unwrap(server), topic, model, version));
  *message = ToHandle<TRITONSERVER_Message>(new Message{std::move(json)});
  return OkStatus();
}

// Topics that are true or false.
Status IsSo(TRITONSERVER_Server* server, const std::string& topic, bool* answer) {
  ASSIGN_OR_RETURN(const std::shared_ptr<ControlPlane> control, GetControlPlane());
  ASSIGN_OR_RETURN(const std::string json, control->Describe(&Unwrap(server), topic, "", -1));
  *answer = json == "true";
  return OkStatus();
}

template <typename Action>
Status Control(const Action& action) {
  ASSIGN_OR_RETURN(const std::shared_ptr<ControlPlane> control, GetControlPlane());
  return action(*control);
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ServerNew(TRITONSERVER_Server** server,
                                           TRITONSERVER_ServerOptions* options) {
  return Guard([&] { return NewServer(Unwrap(options), server); });
}

TRITONSERVER_Error* TRITONSERVER_ServerDelete(TRITONSERVER_Server* server) {
  return Guard(
      [&] { return Control([&](ControlPlane& control) { return control.DeleteServer(&Unwrap(server)); }); });
}

TRITONSERVER_Error* TRITONSERVER_ServerLoadModel(TRITONSERVER_Server* server, const char* model_name) {
  return Guard([&] {
    return Control([&](ControlPlane& control) { return control.LoadModel(&Unwrap(server), model_name); });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerUnloadModel(TRITONSERVER_Server* server, const char* model_name) {
  return Guard([&] {
    return Control(
        [&](ControlPlane& control) { return control.UnloadModel(&Unwrap(server), model_name, false); });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerUnloadModelAndDependents(TRITONSERVER_Server* server,
                                                                const char* model_name) {
  return Guard([&] {
    return Control(
        [&](ControlPlane& control) { return control.UnloadModel(&Unwrap(server), model_name, true); });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerIsLive(TRITONSERVER_Server* server, bool* live) {
  return Guard([&] { return IsSo(server, "server_live", live); });
}

TRITONSERVER_Error* TRITONSERVER_ServerIsReady(TRITONSERVER_Server* server, bool* ready) {
  return Guard([&] { return IsSo(server, "server_ready", ready); });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelBatchProperties(TRITONSERVER_Server* server,
                                                            const char* model_name,
                                                            const int64_t model_version, uint32_t* flags,
                                                            void** voidp) {
  return Guard([&]() -> Status {
    if (voidp != nullptr) *voidp = nullptr;
    ASSIGN_OR_RETURN(const Model::Ref model, Unwrap(server).registry().Find(model_name, model_version));
    *flags = model->signature().is_batched() ? TRITONSERVER_BATCH_FIRST_DIM : TRITONSERVER_BATCH_UNKNOWN;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelIsReady(TRITONSERVER_Server* server, const char* model_name,
                                                    const int64_t model_version, bool* ready) {
  return Guard([&] {
    *ready = Unwrap(server).registry().Find(model_name, model_version).ok();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelTransactionProperties(TRITONSERVER_Server* server,
                                                                  const char* model_name,
                                                                  const int64_t model_version,
                                                                  uint32_t* txn_flags, void** voidp) {
  return Guard([&]() -> Status {
    if (voidp != nullptr) *voidp = nullptr;
    ASSIGN_OR_RETURN(const Model::Ref model, Unwrap(server).registry().Find(model_name, model_version));
    *txn_flags = model->signature().is_decoupled ? TRITONSERVER_TXN_DECOUPLED : TRITONSERVER_TXN_ONE_TO_ONE;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerMetadata(TRITONSERVER_Server* server,
                                                TRITONSERVER_Message** server_metadata) {
  return Guard([&] { return Describe(server, "server_metadata", "", -1, server_metadata); });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelMetadata(TRITONSERVER_Server* server, const char* model_name,
                                                     const int64_t model_version,
                                                     TRITONSERVER_Message** model_metadata) {
  return Guard([&] { return Describe(server, "model_metadata", model_name, model_version, model_metadata); });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelStatistics(TRITONSERVER_Server* server, const char* model_name,
                                                       const int64_t model_version,
                                                       TRITONSERVER_Message** model_stats) {
  return Guard([&] { return Describe(server, "model_statistics", model_name, model_version, model_stats); });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelConfig(TRITONSERVER_Server* server, const char* model_name,
                                                   const int64_t model_version, const uint32_t config_version,
                                                   TRITONSERVER_Message** model_config) {
  return Guard([&] { return Describe(server, "model_config", model_name, model_version, model_config); });
}

TRITONSERVER_Error* TRITONSERVER_ServerModelIndex(TRITONSERVER_Server* server, uint32_t flags,
                                                  TRITONSERVER_Message** model_index) {
  const bool is_ready_only = (flags & TRITONSERVER_INDEX_FLAG_READY) != 0;
  return Guard(
      [&] { return Describe(server, is_ready_only ? "ready_index" : "index", "", -1, model_index); });
}

}  // extern "C"
