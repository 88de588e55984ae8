// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_driver.h"

#include "base/shared_library.h"
#include "device/cuda_device.h"

namespace workbench {
namespace {

StatusCode CodeOf(int code) {
  switch (code) {
    case cuda::kSuccess:
      return StatusCode::kOk;
    case cuda::kInvalidValue:
      return StatusCode::kInvalidArgument;
    case cuda::kOutOfMemory:
      return StatusCode::kUnavailable;
    case cuda::kNoDevice:
    case cuda::kNotSupported:
      return StatusCode::kUnsupported;
    default:
      return StatusCode::kInternal;
  }
}

}  // namespace

CudaDriver::CudaDriver(const cuda::Functions& functions) : functions_(functions) {}

CudaDriver::~CudaDriver() = default;

Result<std::shared_ptr<CudaDriver>> CudaDriver::Open(const std::string& library) {
  const std::string path = library.empty() ? kLibrary : library;
  const Result<SharedLibrary> opened = SharedLibrary::Open(path);
  if (!opened.ok()) return UnsupportedError("this machine has no CUDA driver: " + opened.status().message());
  cuda::Functions functions;
  const char* const missing =
      functions.Bind([&](const char* name) { return opened.value().Find<void()>(name); });
  if (missing != nullptr)
    return UnsupportedError("the CUDA driver " + path + " is too old: it lacks " + missing);
  std::shared_ptr<CudaDriver> driver(new CudaDriver(functions));
  RETURN_IF_ERROR(driver->StatusOf(functions.init(0), "cuInit"));
  RETURN_IF_ERROR(driver->StatusOf(functions.device_count(&driver->device_count_), "cuDeviceGetCount"));
  RETURN_IF_ERROR(driver->StatusOf(functions.driver_version(&driver->version_), "cuDriverGetVersion"));
  if (driver->device_count_ == 0) return UnsupportedError("the CUDA driver finds no GPU on this machine");
  MutexLock lock(&driver->mutex_);
  driver->devices_.resize(static_cast<size_t>(driver->device_count_));
  return driver;
}

Result<CudaDevice*> CudaDriver::Device(int ordinal) {
  if (ordinal < 0 || ordinal >= device_count_) {
    return NotFoundError("there is no GPU " + std::to_string(ordinal) + ": this machine has " +
                         std::to_string(device_count_) + ", numbered from 0");
  }
  MutexLock lock(&mutex_);
  std::unique_ptr<CudaDevice>& device = devices_[static_cast<size_t>(ordinal)];
  if (!device) {
    ASSIGN_OR_RETURN(device, CudaDevice::Create(*this, ordinal));
  }
  return device.get();
}

bool CudaDriver::is_open(int ordinal) const {
  MutexLock lock(&mutex_);
  return ordinal >= 0 && ordinal < device_count_ && devices_[static_cast<size_t>(ordinal)] != nullptr;
}

Status CudaDriver::StatusOf(int code, const char* function) const {
  if (code == cuda::kSuccess) return OkStatus();
  const char* name = nullptr;
  const char* text = nullptr;
  (void)functions_.error_name(code, &name);
  (void)functions_.error_string(code, &text);
  std::string message = std::string(function) + " failed with CUDA error " + std::to_string(code);
  if (name != nullptr) message += std::string(" (") + name + ")";
  if (text != nullptr) message += std::string(": ") + text;
  return {CodeOf(code), std::move(message)};
}

}  // namespace workbench
