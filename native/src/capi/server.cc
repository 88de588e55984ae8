// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The server: its options, its life (the control plane's business) and what the engine itself can say of it.
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

template <typename Action>
Status Control(const Action& action) {
  ASSIGN_OR_RETURN(const std::shared_ptr<ControlPlane> control, GetControlPlane());
  return action(*control);
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ServerOptionsNew(TRITONSERVER_ServerOptions** options) {
  return Guard([&] {
    *options = ToHandle<TRITONSERVER_ServerOptions>(new ServerOptions());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsDelete(TRITONSERVER_ServerOptions* options) {
  return Guard([&] {
    delete &Unwrap(options);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetServerId(TRITONSERVER_ServerOptions* options,
                                                          const char* server_id) {
  return Guard([&] {
    Unwrap(options).server_id = server_id;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelRepositoryPath(TRITONSERVER_ServerOptions* options,
                                                                     const char* model_repository_path) {
  return Guard([&] {
    Unwrap(options).repositories.push_back(model_repository_path);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetBackendDirectory(TRITONSERVER_ServerOptions* options,
                                                                  const char* backend_dir) {
  return Guard([&] {
    Unwrap(options).backend_directory = backend_dir;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetModelControlMode(TRITONSERVER_ServerOptions* options,
                                                                  TRITONSERVER_ModelControlMode mode) {
  return Guard([&] {
    Unwrap(options).control_mode = mode;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetStartupModel(TRITONSERVER_ServerOptions* options,
                                                              const char* model_name) {
  return Guard([&] {
    Unwrap(options).startup_models.push_back(model_name);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetStrictModelConfig(TRITONSERVER_ServerOptions* options,
                                                                   bool strict) {
  return Guard([&] {
    Unwrap(options).is_strict = strict;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetExitTimeout(TRITONSERVER_ServerOptions* options,
                                                             unsigned int timeout) {
  return Guard([&] {
    Unwrap(options).exit_timeout_s = timeout;
    return OkStatus();
  });
}

// Accepted and without effect: logging goes to the process's standard error, statistics are always kept, and
// there is no device whose compute capability could be too small.
TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetLogInfo(TRITONSERVER_ServerOptions* options, bool log) {
  return nullptr;
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetMetrics(TRITONSERVER_ServerOptions* options, bool metrics) {
  return nullptr;
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetGpuMetrics(TRITONSERVER_ServerOptions* options,
                                                            bool gpu_metrics) {
  return nullptr;
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetCpuMetrics(TRITONSERVER_ServerOptions* options,
                                                            bool cpu_metrics) {
  return nullptr;
}

TRITONSERVER_Error* TRITONSERVER_ServerOptionsSetMinSupportedComputeCapability(
    TRITONSERVER_ServerOptions* options, double cc) {
  return nullptr;
}

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
  return Guard([&] {
    *live = true;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerIsReady(TRITONSERVER_Server* server, bool* ready) {
  return Guard([&] {
    *ready = true;
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
