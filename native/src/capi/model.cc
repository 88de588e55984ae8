// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a backend asks of a model.
#include "model/model.h"

#include "capi/error.h"

namespace workbench {
namespace {

Model& Unwrap(TRITONBACKEND_Model* model) { return *FromHandle<Model>(model); }

Status CheckConfigVersion(uint32_t version) {
  if (version == 1) return OkStatus();
  return UnsupportedError("configurations have version 1, asked for was " + std::to_string(version));
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ModelName(TRITONBACKEND_Model* model, const char** name) {
  return Guard([&] {
    *name = Unwrap(model).signature().name.c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelVersion(TRITONBACKEND_Model* model, uint64_t* version) {
  return Guard([&] {
    *version = static_cast<uint64_t>(Unwrap(model).signature().version);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelRepository(TRITONBACKEND_Model* model,
                                                  TRITONBACKEND_ArtifactType* artifact_type,
                                                  const char** location) {
  return Guard([&] {
    *artifact_type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
    *location = Unwrap(model).folder().c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelConfig(TRITONBACKEND_Model* model, const uint32_t config_version,
                                              TRITONSERVER_Message** model_config) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckConfigVersion(config_version));
    *model_config = ToHandle<TRITONSERVER_Message>(new Message{Unwrap(model).config_json()});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelSetConfig(TRITONBACKEND_Model* model, const uint32_t config_version,
                                                 TRITONSERVER_Message* model_config) {
  return Guard([&]() -> Status {
    RETURN_IF_ERROR(CheckConfigVersion(config_version));
    return Unwrap(model).SetConfig(FromHandle<Message>(model_config)->json);
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelAutoCompleteConfig(TRITONBACKEND_Model* model,
                                                          bool* auto_complete_config) {
  return Guard([&] {
    *auto_complete_config = Unwrap(model).may_auto_complete();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelServer(TRITONBACKEND_Model* model, TRITONSERVER_Server** server) {
  return Guard([&] {
    *server = static_cast<TRITONSERVER_Server*>(Unwrap(model).server_handle());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelBackend(TRITONBACKEND_Model* model, TRITONBACKEND_Backend** backend) {
  return Guard([&] {
    *backend = ToHandle<TRITONBACKEND_Backend>(Unwrap(model).backend());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelState(TRITONBACKEND_Model* model, void** state) {
  return Guard([&] {
    *state = Unwrap(model).state();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelSetState(TRITONBACKEND_Model* model, void* state) {
  return Guard([&] {
    Unwrap(model).set_state(state);
    return OkStatus();
  });
}

}  // extern "C"
