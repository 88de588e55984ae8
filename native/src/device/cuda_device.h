// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaDevice: one GPU and its primary context: memory of the device and page-locked memory of the host,
// peers, and memory shared with other processes. Owned by its driver. Any thread; no thread keeps the
// context.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "device/cuda_driver.h"

namespace workbench {

class CudaDevice {
 public:
  struct Memory {
    size_t free_byte_size = 0;
    size_t total_byte_size = 0;
  };

  static Result<std::unique_ptr<CudaDevice>> Create(const CudaDriver& driver, int ordinal);
  ~CudaDevice();

  int ordinal() const { return ordinal_; }
  const std::string& name() const { return name_; }
  // 10 * major + minor.
  int compute_capability() const { return compute_capability_; }
  cuda::Context context() const { return context_; }
  const CudaDriver& driver() const { return driver_; }

  Result<Memory> memory() const;
  // UNAVAILABLE, with what is needed and what is free, where the device has not enough.
  Result<void*> Allocate(size_t byte_size);
  Status Free(void* bytes);
  Result<void*> AllocatePinned(size_t byte_size);
  Status FreePinned(void* bytes);
  // Returns once the bytes are copied; either side may be host memory, or this device's, or a peer's.
  Status Copy(void* target, const void* source, size_t byte_size) const;

  Result<bool> CanAccess(const CudaDevice& peer) const;
  // From now on code of this device reads and writes the peer's memory. Twice is fine.
  Status EnableAccess(const CudaDevice& peer);

  // For another process, which opens it; REQUIRES: bytes are what Allocate gave.
  Result<cuda::IpcHandle> Share(const void* bytes) const;
  Result<void*> OpenShared(const cuda::IpcHandle& handle);
  Status CloseShared(void* bytes);
  // Bytes from there to the end of what was allocated together.
  Result<size_t> SizeFrom(const void* bytes) const;

 private:
  CudaDevice(const CudaDriver& driver, int ordinal) : driver_(driver), ordinal_(ordinal) {}
  Status Open();
  Status OutOfMemory(const Status& reason, size_t byte_size) const;

  const CudaDriver& driver_;
  const int ordinal_;
  cuda::Device device_ = 0;
  cuda::Context context_ = nullptr;
  int compute_capability_ = 0;
  std::string name_;
};

// The device's context is current on this thread while it lives.
class ScopedCudaContext {
 public:
  explicit ScopedCudaContext(const CudaDevice& device);
  ~ScopedCudaContext();
  ScopedCudaContext(const ScopedCudaContext&) = delete;
  ScopedCudaContext& operator=(const ScopedCudaContext&) = delete;

  const Status& status() const { return status_; }

 private:
  const cuda::Functions& functions_;
  const Status status_;
};

}  // namespace workbench
