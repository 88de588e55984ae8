// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What is asked of a server's control plane beside loading a model by its name.
#include <map>

#include "capi/error.h"
#include "engine/control_plane.h"
#include "engine/engine.h"
#include "inference/parameter.h"

namespace workbench {
namespace {

Engine& Unwrap(TRITONSERVER_Server* server) { return *FromHandle<Engine>(server); }
const Parameter& Unwrap(const TRITONSERVER_Parameter* parameter) {
  return *FromHandle<const Parameter>(parameter);
}

template <typename Action>
Status Control(const Action& action) {
  ASSIGN_OR_RETURN(const std::shared_ptr<ControlPlane> control, GetControlPlane());
  return action(*control);
}

Status CheckCount(const TRITONSERVER_Parameter** parameters, uint64_t count) {
  if (parameters != nullptr || count == 0) return OkStatus();
  return InvalidArgumentError(std::to_string(count) + " parameters were told of, none was given");
}

Result<std::map<std::string, std::string>> FoldersOf(const TRITONSERVER_Parameter** mapping, uint64_t count) {
  RETURN_IF_ERROR(CheckCount(mapping, count));
  std::map<std::string, std::string> folders;  // by name: two folders must not have one, one may have two
  for (uint64_t i = 0; i < count; ++i) {
    const Parameter& entry = Unwrap(mapping[i]);
    if (entry.type != ParameterType::kString)
      return InvalidArgumentError("the name for folder '" + entry.name + "' must be a string");
    if (!folders.emplace(entry.text, entry.name).second)
      return InvalidArgumentError("two folders are to be called '" + entry.text + "'");
  }
  return folders;
}

constexpr char kFilePrefix[] = "file:";
constexpr size_t kFilePrefixSize = sizeof kFilePrefix - 1;

// Refused as a configuration that cannot be read is.
Status Add(const Parameter& parameter, LoadOverride* override) {
  if (parameter.name == "config") {
    if (parameter.type != ParameterType::kString)
      return InternalError("the parameter 'config' must be a string: the configuration as JSON");
    override->has_config = true;
    override->config_json = parameter.text;
    return OkStatus();
  }
  if (parameter.name.compare(0, kFilePrefixSize, kFilePrefix) != 0) {
    return InternalError("a load takes the parameters 'config' and 'file:<path>', no '" + parameter.name +
                         "'");
  }
  if (parameter.type != ParameterType::kBytes)
    return InternalError("the parameter '" + parameter.name + "' must be bytes: the file's content");
  override->files.emplace_back(parameter.name.substr(kFilePrefixSize), std::string(parameter.bytes));
  return OkStatus();
}

Result<LoadOverride> OverrideOf(const TRITONSERVER_Parameter** parameters, uint64_t count) {
  RETURN_IF_ERROR(CheckCount(parameters, count));
  LoadOverride override;
  for (uint64_t i = 0; i < count; ++i) RETURN_IF_ERROR(Add(Unwrap(parameters[i]), &override));
  if (!override.files.empty() && !override.has_config)
    return InternalError("a load that brings files needs the parameter 'config' too");
  return override;
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ServerStop(TRITONSERVER_Server* server) {
  return Guard(
      [&] { return Control([&](ControlPlane& control) { return control.StopServer(&Unwrap(server)); }); });
}

TRITONSERVER_Error* TRITONSERVER_ServerSetExitTimeout(TRITONSERVER_Server* server, unsigned int timeout) {
  return Guard([&] {
    return Control([&](ControlPlane& control) { return control.SetExitTimeout(&Unwrap(server), timeout); });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerRegisterModelRepository(TRITONSERVER_Server* server,
                                                               const char* repository_path,
                                                               const TRITONSERVER_Parameter** name_mapping,
                                                               const uint32_t mapping_count) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(const auto folders, FoldersOf(name_mapping, mapping_count));
    return Control([&](ControlPlane& control) {
      return control.RegisterRepository(&Unwrap(server), repository_path, folders);
    });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerUnregisterModelRepository(TRITONSERVER_Server* server,
                                                                 const char* repository_path) {
  return Guard([&] {
    return Control([&](ControlPlane& control) {
      return control.UnregisterRepository(&Unwrap(server), repository_path);
    });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerPollModelRepository(TRITONSERVER_Server* server) {
  return Guard([&] {
    return Control([&](ControlPlane& control) { return control.PollRepositories(&Unwrap(server)); });
  });
}

TRITONSERVER_Error* TRITONSERVER_ServerLoadModelWithParameters(TRITONSERVER_Server* server,
                                                               const char* model_name,
                                                               const TRITONSERVER_Parameter** parameters,
                                                               const uint64_t parameter_count) {
  return Guard([&]() -> Status {
    ASSIGN_OR_RETURN(const LoadOverride override, OverrideOf(parameters, parameter_count));
    return Control(
        [&](ControlPlane& control) { return control.LoadModelWith(&Unwrap(server), model_name, override); });
  });
}

}  // extern "C"
