// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What models and instances say that they hold; and what else is configured of an instance.
#include <vector>

#include "capi/error.h"
#include "model/model.h"

namespace workbench {
namespace {

ModelInstance& Unwrap(TRITONBACKEND_ModelInstance* instance) { return *FromHandle<ModelInstance>(instance); }

Status Report(Model& model, const void* reporter, TRITONSERVER_BufferAttributes** usage, uint32_t count) {
  std::vector<BufferAttributes> parts;
  for (uint32_t i = 0; i < count; ++i) parts.push_back(*FromHandle<BufferAttributes>(usage[i]));
  model.own_statistics().SetMemoryUsage(reporter, std::move(parts));
  return OkStatus();
}

Status NoSuchIndex(const std::string& what, uint32_t index, size_t count) {
  return InvalidArgumentError(what + " " + std::to_string(index) + " was asked of an instance that has " +
                              std::to_string(count));
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ModelReportMemoryUsage(TRITONBACKEND_Model* model,
                                                         TRITONSERVER_BufferAttributes** usage,
                                                         uint32_t usage_size) {
  return Guard([&] { return Report(*FromHandle<Model>(model), model, usage, usage_size); });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportMemoryUsage(TRITONBACKEND_ModelInstance* instance,
                                                                 TRITONSERVER_BufferAttributes** usage,
                                                                 uint32_t usage_size) {
  return Guard([&] { return Report(*Unwrap(instance).model(), instance, usage, usage_size); });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceProfileCount(TRITONBACKEND_ModelInstance* instance,
                                                            uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(instance).options().profiles.size());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceProfileName(TRITONBACKEND_ModelInstance* instance,
                                                           const uint32_t index, const char** profile_name) {
  return Guard([&]() -> Status {
    const auto& profiles = Unwrap(instance).options().profiles;
    *profile_name = nullptr;
    if (index >= profiles.size()) return NoSuchIndex("profile", index, profiles.size());
    *profile_name = profiles[index].c_str();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceSecondaryDeviceCount(TRITONBACKEND_ModelInstance* instance,
                                                                    uint32_t* count) {
  return Guard([&] {
    *count = static_cast<uint32_t>(Unwrap(instance).options().secondary_devices.size());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceSecondaryDeviceProperties(
    TRITONBACKEND_ModelInstance* instance, uint32_t index, const char** kind, int64_t* id) {
  return Guard([&]() -> Status {
    const auto& devices = Unwrap(instance).options().secondary_devices;
    if (index >= devices.size()) return NoSuchIndex("secondary device", index, devices.size());
    *kind = devices[index].kind.c_str();
    *id = devices[index].id;
    return OkStatus();
  });
}

}  // extern "C"
