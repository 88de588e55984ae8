// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaStream: work of a GPU in order, done later. CudaEvent: a place in a stream's work. Owned by whoever
// made them; the device outlives them. Any thread.
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "device/cuda_device.h"

namespace workbench {

class CudaEvent;

class CudaStream {
 public:
  static Result<std::unique_ptr<CudaStream>> Create(const CudaDevice& device);
  // Waits for its work.
  ~CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  // Both sides stay as they are until the stream got there.
  Status Copy(void* target, const void* source, size_t byte_size);
  Status Fill(void* target, unsigned char value, size_t byte_size);
  // Runs function on a thread of the driver once everything before is done; it may not call the driver.
  Status Then(cuda::HostFunction function, void* userp);
  Status WaitFor(const CudaEvent& event);
  Status Synchronize() const;
  // Whether everything is done.
  Result<bool> is_idle() const;

  cuda::Stream handle() const { return stream_; }
  const CudaDevice& device() const { return device_; }

 private:
  explicit CudaStream(const CudaDevice& device) : device_(device) {}
  const CudaDevice& device_;
  cuda::Stream stream_ = nullptr;
};

class CudaEvent {
 public:
  // is_timed: ElapsedMs may be asked; costs a little.
  static Result<std::unique_ptr<CudaEvent>> Create(const CudaDevice& device, bool is_timed = false);
  ~CudaEvent();
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  Status Record(const CudaStream& stream);
  Status Synchronize() const;
  Result<bool> is_reached() const;
  // From the other event to this one.
  Result<float> ElapsedMs(const CudaEvent& since) const;
  cuda::Event handle() const { return event_; }

 private:
  explicit CudaEvent(const CudaDevice& device) : device_(device) {}
  const CudaDevice& device_;
  cuda::Event event_ = nullptr;
};

}  // namespace workbench
