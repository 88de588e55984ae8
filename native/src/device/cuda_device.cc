// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_device.h"

#include "device/cuda_stream.h"

namespace workbench {

ScopedCudaContext::ScopedCudaContext(const CudaDevice& device)
    : functions_(device.driver().functions()),
      status_(device.driver().StatusOf(functions_.context_push(device.context()), "cuCtxPushCurrent")) {}

ScopedCudaContext::~ScopedCudaContext() {
  cuda::Context popped = nullptr;
  if (status_.ok()) (void)functions_.context_pop(&popped);
}

// Calls a function of the driver in the device's context.
#define CALL_IN_CONTEXT(device, member, symbol, ...)                                  \
  do {                                                                                \
    const ScopedCudaContext current(device);                                          \
    RETURN_IF_ERROR(current.status());                                                \
    const CudaDriver& driver = (device).driver();                                     \
    RETURN_IF_ERROR(driver.StatusOf(driver.functions().member(__VA_ARGS__), symbol)); \
  } while (false)

Result<std::unique_ptr<CudaDevice>> CudaDevice::Create(const CudaDriver& driver, int ordinal) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(driver, ordinal));
  RETURN_IF_ERROR(device->Open());
  return device;
}

Status CudaDevice::Open() {
  const cuda::Functions& functions = driver_.functions();
  RETURN_IF_ERROR(driver_.StatusOf(functions.device_get(&device_, ordinal_), "cuDeviceGet"));
  char name[256] = "";
  RETURN_IF_ERROR(driver_.StatusOf(functions.device_name(name, sizeof name, device_), "cuDeviceGetName"));
  name_ = name;
  int major = 0;
  int minor = 0;
  RETURN_IF_ERROR(driver_.StatusOf(functions.device_attribute(&major, cuda::kCapabilityMajor, device_),
                                   "cuDeviceGetAttribute"));
  RETURN_IF_ERROR(driver_.StatusOf(functions.device_attribute(&minor, cuda::kCapabilityMinor, device_),
                                   "cuDeviceGetAttribute"));
  compute_capability_ = 10 * major + minor;
  return driver_.StatusOf(functions.context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

CudaDevice::~CudaDevice() {
  // The process may be ending, and the driver with it: nobody is left to tell.
  if (context_ != nullptr) (void)driver_.functions().context_release(device_);
}

Result<CudaDevice::Memory> CudaDevice::memory() const {
  Memory memory;
  CALL_IN_CONTEXT(*this, memory_info, "cuMemGetInfo", &memory.free_byte_size, &memory.total_byte_size);
  return memory;
}

Status CudaDevice::OutOfMemory(const Status& reason, size_t byte_size) const {
  if (reason.code() != StatusCode::kUnavailable) return reason;
  std::string text =
      "GPU " + std::to_string(ordinal_) + " cannot give " + std::to_string(byte_size) + " bytes";
  Result<Memory> figures = memory();
  if (figures.ok()) {
    text += ": " + std::to_string(figures->free_byte_size) + " of " +
            std::to_string(figures->total_byte_size) + " are free";
  }
  return UnavailableError(text + " (" + reason.message() + ")");
}

Result<void*> CudaDevice::Allocate(size_t byte_size) {
  cuda::Address address = 0;
  const auto allocate = [&]() -> Status {
    CALL_IN_CONTEXT(*this, memory_allocate, "cuMemAlloc", &address, byte_size);
    return OkStatus();
  };
  const Status status = allocate();
  if (!status.ok()) return OutOfMemory(status, byte_size);
  return cuda::BytesAt(address);
}

Status CudaDevice::Free(void* bytes) {
  CALL_IN_CONTEXT(*this, memory_free, "cuMemFree", cuda::AddressOf(bytes));
  return OkStatus();
}

Result<void*> CudaDevice::AllocatePinned(size_t byte_size) {
  void* bytes = nullptr;
  CALL_IN_CONTEXT(*this, host_allocate, "cuMemHostAlloc", &bytes, byte_size, cuda::kHostAllocPortable);
  return bytes;
}

Status CudaDevice::FreePinned(void* bytes) {
  CALL_IN_CONTEXT(*this, host_free, "cuMemFreeHost", bytes);
  return OkStatus();
}

Status CudaDevice::Copy(void* target, const void* source, size_t byte_size) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<CudaStream> stream, CudaStream::Create(*this));
  RETURN_IF_ERROR(stream->Copy(target, source, byte_size));
  return stream->Synchronize();
}

Result<bool> CudaDevice::CanAccess(const CudaDevice& peer) const {
  int can = 0;
  RETURN_IF_ERROR(driver_.StatusOf(driver_.functions().can_access_peer(&can, device_, peer.device_),
                                   "cuDeviceCanAccessPeer"));
  return can != 0;
}

Status CudaDevice::EnableAccess(const CudaDevice& peer) {
  const ScopedCudaContext current(*this);
  RETURN_IF_ERROR(current.status());
  const int code = driver_.functions().enable_peer_access(peer.context_, 0);
  return code == cuda::kPeerAccessAlreadyEnabled ? OkStatus()
                                                 : driver_.StatusOf(code, "cuCtxEnablePeerAccess");
}

Result<cuda::IpcHandle> CudaDevice::Share(const void* bytes) const {
  cuda::IpcHandle handle{};
  CALL_IN_CONTEXT(*this, ipc_get_handle, "cuIpcGetMemHandle", &handle, cuda::AddressOf(bytes));
  return handle;
}

Result<void*> CudaDevice::OpenShared(const cuda::IpcHandle& handle) {
  cuda::Address address = 0;
  CALL_IN_CONTEXT(*this, ipc_open_handle, "cuIpcOpenMemHandle", &address, handle, cuda::kIpcLazyPeerAccess);
  return cuda::BytesAt(address);
}

Status CudaDevice::CloseShared(void* bytes) {
  CALL_IN_CONTEXT(*this, ipc_close_handle, "cuIpcCloseMemHandle", cuda::AddressOf(bytes));
  return OkStatus();
}

Result<size_t> CudaDevice::SizeFrom(const void* bytes) const {
  cuda::Address base = 0;
  size_t byte_size = 0;
  CALL_IN_CONTEXT(*this, memory_range, "cuMemGetAddressRange", &base, &byte_size, cuda::AddressOf(bytes));
  return byte_size - static_cast<size_t>(cuda::AddressOf(bytes) - base);
}

}  // namespace workbench
