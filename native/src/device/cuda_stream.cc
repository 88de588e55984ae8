// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_stream.h"

namespace workbench {
namespace {

// What `call` of the driver's functions answers in the device's context.
template <typename Call>
Result<int> Ask(const CudaDevice& device, const Call& call) {
  const ScopedCudaContext current(device);
  RETURN_IF_ERROR(current.status());
  return call(device.driver().functions());
}

template <typename Call>
Status Do(const CudaDevice& device, const char* function, const Call& call) {
  ASSIGN_OR_RETURN(const int code, Ask(device, call));
  return device.driver().StatusOf(code, function);
}

Result<bool> IsDone(const CudaDevice& device, const char* function, const Result<int>& code) {
  RETURN_IF_ERROR(code.status());
  if (code.value() == cuda::kNotReady) return false;
  RETURN_IF_ERROR(device.driver().StatusOf(code.value(), function));
  return true;
}

}  // namespace

Result<std::unique_ptr<CudaStream>> CudaStream::Create(const CudaDevice& device) {
  std::unique_ptr<CudaStream> stream(new CudaStream(device));
  RETURN_IF_ERROR(Do(device, "cuStreamCreate", [&](const cuda::Functions& driver) {
    return driver.stream_create(&stream->stream_, cuda::kStreamNonBlocking);
  }));
  return stream;
}

CudaStream::~CudaStream() {
  if (stream_ == nullptr) return;
  (void)Synchronize();
  (void)Ask(device_, [&](const cuda::Functions& driver) { return driver.stream_destroy(stream_); });
}

Status CudaStream::Copy(void* target, const void* source, size_t byte_size) {
  if (byte_size == 0) return OkStatus();
  return Do(device_, "cuMemcpyAsync", [&](const cuda::Functions& driver) {
    return driver.copy(cuda::AddressOf(target), cuda::AddressOf(source), byte_size, stream_);
  });
}

Status CudaStream::Fill(void* target, unsigned char value, size_t byte_size) {
  if (byte_size == 0) return OkStatus();
  return Do(device_, "cuMemsetD8Async", [&](const cuda::Functions& driver) {
    return driver.fill(cuda::AddressOf(target), value, byte_size, stream_);
  });
}

Status CudaStream::Then(cuda::HostFunction function, void* userp) {
  return Do(device_, "cuLaunchHostFunc", [&](const cuda::Functions& driver) {
    return driver.launch_host_function(stream_, function, userp);
  });
}

Status CudaStream::WaitFor(const CudaEvent& event) {
  return Do(device_, "cuStreamWaitEvent",
            [&](const cuda::Functions& driver) { return driver.stream_wait(stream_, event.handle(), 0); });
}

Status CudaStream::Synchronize() const {
  return Do(device_, "cuStreamSynchronize",
            [&](const cuda::Functions& driver) { return driver.stream_synchronize(stream_); });
}

Result<bool> CudaStream::is_idle() const {
  return IsDone(device_, "cuStreamQuery",
                Ask(device_, [&](const cuda::Functions& driver) { return driver.stream_query(stream_); }));
}

Result<std::unique_ptr<CudaEvent>> CudaEvent::Create(const CudaDevice& device, bool is_timed) {
  std::unique_ptr<CudaEvent> event(new CudaEvent(device));
  RETURN_IF_ERROR(Do(device, "cuEventCreate", [&](const cuda::Functions& driver) {
    return driver.event_create(&event->event_, is_timed ? 0 : cuda::kEventDisableTiming);
  }));
  return event;
}

CudaEvent::~CudaEvent() {
  if (event_ == nullptr) return;
  (void)Ask(device_, [&](const cuda::Functions& driver) { return driver.event_destroy(event_); });
}

Status CudaEvent::Record(const CudaStream& stream) {
  return Do(device_, "cuEventRecord",
            [&](const cuda::Functions& driver) { return driver.event_record(event_, stream.handle()); });
}

Status CudaEvent::Synchronize() const {
  return Do(device_, "cuEventSynchronize",
            [&](const cuda::Functions& driver) { return driver.event_synchronize(event_); });
}

Result<bool> CudaEvent::is_reached() const {
  return IsDone(device_, "cuEventQuery",
                Ask(device_, [&](const cuda::Functions& driver) { return driver.event_query(event_); }));
}

Result<float> CudaEvent::ElapsedMs(const CudaEvent& since) const {
  float milliseconds = 0;
  RETURN_IF_ERROR(Do(device_, "cuEventElapsedTime", [&](const cuda::Functions& driver) {
    return driver.event_elapsed(&milliseconds, since.event_, event_);
  }));
  return milliseconds;
}

}  // namespace workbench
