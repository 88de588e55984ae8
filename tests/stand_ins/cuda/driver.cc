// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the CUDA driver library in tests, and is never shown as a GPU: see README.md.
#include <cstdio>
#include <cstring>

#include "memory.h"
#include "state.h"
#include "stream.h"
#include "workbench/backend/cuda_functions.hpp"

namespace cuda = workbench::cuda;
using namespace stand_in;  // NOLINT: this file is their C face

#define WB_VISIBLE extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kInvalidContext = 201;
constexpr int kInvalidHandle = 400;

Handles<Stream>& Streams() {
  static auto* const streams = new Handles<Stream>();
  return *streams;
}
Handles<Event>& Events() {
  static auto* const events = new Handles<Event>();
  return *events;
}

// Contexts are numbered from 1 by device.
thread_local int contexts[16];
thread_local int context_count = 0;
int CurrentDevice() { return context_count == 0 ? -1 : contexts[context_count - 1] - 1; }

int Violated(int code) {
  State::Get().violations.fetch_add(1);
  return code;
}

int Enter(const char* symbol) {
  if (is_in_host_function) return Violated(cuda::kNotPermitted);
  return State::Get().Enter(symbol);
}

#define ENTER(symbol)                                           \
  do {                                                          \
    if (const int code = Enter(symbol); code != 0) return code; \
  } while (false)
#define ENTER_IN_CONTEXT(symbol) \
  ENTER(symbol);                 \
  if (CurrentDevice() < 0) return Violated(kInvalidContext)

// The null stream does its work at once.
template <typename Work>
int Run(void* handle, const Work& work) {
  if (handle == nullptr) return work(), 0;
  const auto stream = Streams().Find(handle);
  if (!stream) return Violated(kInvalidHandle);
  stream->Add(work);
  return 0;
}

void CopyNow(cuda::Address target, cuda::Address source, size_t byte_size) {
  char* const to = Memory::Get().Touchable(cuda::BytesAt(target), byte_size);
  const char* const from = Memory::Get().Touchable(cuda::BytesAt(source), byte_size);
  if (to == nullptr || from == nullptr) {
    (void)Violated(0);
    return;
  }
  std::memmove(to, from, byte_size);
}

}  // namespace

// --- for tests
WB_VISIBLE void wbStandInReset() {
  State::Get().Read();
  Memory::Get().Reset(State::Get().settings());
}
WB_VISIBLE long wbStandInViolations() { return State::Get().violations.load(); }
WB_VISIBLE long wbStandInCalls(const char* symbol) { return State::Get().Calls(symbol); }
WB_VISIBLE size_t wbStandInLive(int device) { return Memory::Get().Live(device); }
WB_VISIBLE int wbStandInRead(void* target, const void* source, size_t byte_size) {
  const char* const from = Memory::Get().Touchable(source, byte_size);
  if (from == nullptr) return 1;
  std::memcpy(target, from, byte_size);
  return 0;
}

// --- the driver
WB_VISIBLE int cuInit(unsigned) {
  wbStandInReset();
  ENTER("cuInit");
  return State::Get().settings().devices == 0 ? cuda::kNoDevice : 0;
}
WB_VISIBLE int cuDriverGetVersion(int* version) {
  ENTER("cuDriverGetVersion");
  *version = 13000;
  return 0;
}
WB_VISIBLE int cuGetErrorName(int code, const char** name) {
  *name = code == cuda::kOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_STAND_IN";
  return 0;
}
WB_VISIBLE int cuGetErrorString(int code, const char** text) {
  *text = code == cuda::kOutOfMemory ? "out of memory" : "an error of the stand-in";
  return 0;
}
WB_VISIBLE int cuDeviceGetCount(int* count) {
  ENTER("cuDeviceGetCount");
  *count = State::Get().settings().devices;
  return 0;
}
WB_VISIBLE int cuDeviceGet(int* device, int ordinal) {
  ENTER("cuDeviceGet");
  *device = ordinal;
  return 0;
}
WB_VISIBLE int cuDeviceGetName(char* name, int length, int device) {
  ENTER("cuDeviceGetName");
  std::snprintf(name, static_cast<size_t>(length), "stand-in %d (no GPU)", device);
  return 0;
}
WB_VISIBLE int cuDeviceGetUuid(cuda::Uuid* uuid, int device) {
  ENTER("cuDeviceGetUuid");
  std::memset(uuid, device, sizeof *uuid);
  return 0;
}
WB_VISIBLE int cuDeviceGetAttribute(int* value, int attribute, int) {
  ENTER("cuDeviceGetAttribute");
  *value = attribute == cuda::kCapabilityMajor ? 8 : 0;
  return 0;
}
WB_VISIBLE int cuDeviceTotalMem_v2(size_t* byte_size, int) {
  ENTER("cuDeviceTotalMem_v2");
  *byte_size = Memory::Get().limit();
  return 0;
}
WB_VISIBLE int cuDevicePrimaryCtxRetain(void** context, int device) {
  ENTER("cuDevicePrimaryCtxRetain");
  *context = reinterpret_cast<void*>(static_cast<uintptr_t>(device) + 1);
  return 0;
}
WB_VISIBLE int cuDevicePrimaryCtxRelease_v2(int) {
  ENTER("cuDevicePrimaryCtxRelease_v2");
  return 0;
}
WB_VISIBLE int cuCtxPushCurrent_v2(void* context) {
  ENTER("cuCtxPushCurrent_v2");
  if (context == nullptr || context_count == 16) return Violated(kInvalidContext);
  contexts[context_count++] = static_cast<int>(reinterpret_cast<uintptr_t>(context));
  return 0;
}
WB_VISIBLE int cuCtxPopCurrent_v2(void** context) {
  if (context_count == 0) return Violated(kInvalidContext);
  *context = reinterpret_cast<void*>(static_cast<uintptr_t>(contexts[--context_count]));
  return 0;
}
WB_VISIBLE int cuMemGetInfo_v2(size_t* free_byte_size, size_t* total_byte_size) {
  ENTER_IN_CONTEXT("cuMemGetInfo_v2");
  *total_byte_size = Memory::Get().limit();
  *free_byte_size = *total_byte_size - std::min(*total_byte_size, Memory::Get().Live(CurrentDevice()));
  return 0;
}
WB_VISIBLE int cuMemAlloc_v2(cuda::Address* address, size_t byte_size) {
  ENTER_IN_CONTEXT("cuMemAlloc_v2");
  if (byte_size == 0) return cuda::kInvalidValue;
  void* const bytes = Memory::Get().Take(CurrentDevice(), byte_size);
  *address = cuda::AddressOf(bytes);
  return bytes == nullptr ? cuda::kOutOfMemory : 0;
}
WB_VISIBLE int cuMemFree_v2(cuda::Address address) {
  ENTER_IN_CONTEXT("cuMemFree_v2");
  return Memory::Get().Give(cuda::BytesAt(address)) ? 0 : Violated(cuda::kInvalidValue);
}
WB_VISIBLE int cuMemHostAlloc(void** address, size_t byte_size, unsigned) {
  ENTER_IN_CONTEXT("cuMemHostAlloc");
  *address = Memory::Get().TakePinned(byte_size);
  return *address == nullptr ? cuda::kOutOfMemory : 0;
}
WB_VISIBLE int cuMemFreeHost(void* address) {
  ENTER_IN_CONTEXT("cuMemFreeHost");
  return Memory::Get().GivePinned(address) ? 0 : Violated(cuda::kInvalidValue);
}
WB_VISIBLE int cuMemcpyAsync(cuda::Address target, cuda::Address source, size_t byte_size, void* stream) {
  ENTER_IN_CONTEXT("cuMemcpyAsync");
  return Run(stream, [=] { CopyNow(target, source, byte_size); });
}
WB_VISIBLE int cuMemcpyPeerAsync(cuda::Address target, void*, cuda::Address source, void*, size_t byte_size,
                                 void* stream) {
  ENTER_IN_CONTEXT("cuMemcpyPeerAsync");
  return Run(stream, [=] { CopyNow(target, source, byte_size); });
}
WB_VISIBLE int cuMemsetD8Async(cuda::Address target, unsigned char value, size_t byte_size, void* stream) {
  ENTER_IN_CONTEXT("cuMemsetD8Async");
  return Run(stream, [=] {
    char* const to = Memory::Get().Touchable(cuda::BytesAt(target), byte_size);
    to == nullptr ? (void)Violated(0) : (void)std::memset(to, value, byte_size);
  });
}
WB_VISIBLE int cuStreamCreate(void** stream, unsigned) {
  ENTER_IN_CONTEXT("cuStreamCreate");
  static std::atomic<unsigned> seed{1};
  auto made = std::make_shared<Stream>(seed.fetch_add(7));
  made->device = CurrentDevice();
  *stream = Streams().Add(std::move(made));
  return 0;
}
WB_VISIBLE int cuStreamDestroy_v2(void* stream) {
  ENTER("cuStreamDestroy_v2");
  return Streams().Remove(stream) ? 0 : Violated(kInvalidHandle);
}
WB_VISIBLE int cuStreamSynchronize(void* handle) {
  ENTER("cuStreamSynchronize");
  if (handle == nullptr) return 0;
  const auto stream = Streams().Find(handle);
  if (!stream) return Violated(kInvalidHandle);
  stream->Synchronize();
  return 0;
}
WB_VISIBLE int cuStreamQuery(void* handle) {
  ENTER("cuStreamQuery");
  const auto stream = Streams().Find(handle);
  if (!stream) return Violated(kInvalidHandle);
  return stream->is_idle() ? 0 : cuda::kNotReady;
}
WB_VISIBLE int cuStreamWaitEvent(void* stream, void* handle, unsigned) {
  ENTER("cuStreamWaitEvent");
  const auto event = Events().Find(handle);
  if (!event) return Violated(kInvalidHandle);
  return Run(stream, [event, number = event->begun()] { event->Wait(number); });
}
WB_VISIBLE int cuEventCreate(void** event, unsigned) {
  ENTER_IN_CONTEXT("cuEventCreate");
  *event = Events().Add(std::make_shared<Event>());
  return 0;
}
WB_VISIBLE int cuEventDestroy_v2(void* event) {
  ENTER("cuEventDestroy_v2");
  return Events().Remove(event) ? 0 : Violated(kInvalidHandle);
}
WB_VISIBLE int cuEventRecord(void* handle, void* stream) {
  ENTER("cuEventRecord");
  const auto event = Events().Find(handle);
  if (!event) return Violated(kInvalidHandle);
  return Run(stream, [event, number = event->Begin()] { event->Reach(number); });
}
WB_VISIBLE int cuEventQuery(void* handle) {
  ENTER("cuEventQuery");
  const auto event = Events().Find(handle);
  if (!event) return Violated(kInvalidHandle);
  return event->is_reached() ? 0 : cuda::kNotReady;
}
WB_VISIBLE int cuEventSynchronize(void* handle) {
  ENTER("cuEventSynchronize");
  const auto event = Events().Find(handle);
  if (!event) return Violated(kInvalidHandle);
  event->Wait(event->begun());
  return 0;
}
WB_VISIBLE int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
  ENTER("cuEventElapsedTime");
  const auto from = Events().Find(start);
  const auto to = Events().Find(end);
  if (!from || !to) return Violated(kInvalidHandle);
  if (!from->is_reached() || !to->is_reached()) return cuda::kNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(to->at() - from->at()).count();
  return 0;
}
WB_VISIBLE int cuLaunchHostFunc(void* stream, cuda::HostFunction function, void* userp) {
  ENTER("cuLaunchHostFunc");
  return Run(stream, [=] {
    is_in_host_function = true;
    function(userp);
    is_in_host_function = false;
  });
}
WB_VISIBLE int cuPointerGetAttribute(void* value, int attribute, cuda::Address address) {
  ENTER_IN_CONTEXT("cuPointerGetAttribute");
  const int device = Memory::Get().DeviceOf(cuda::BytesAt(address));
  if (device == -2) return cuda::kInvalidValue;
  if (attribute == cuda::kPointerMemoryType) *static_cast<unsigned*>(value) = device >= 0 ? 2 : 1;
  if (attribute == cuda::kPointerDevice) *static_cast<int*>(value) = std::max(device, 0);
  return 0;
}
WB_VISIBLE int cuMemGetAddressRange_v2(cuda::Address* base, size_t* byte_size, cuda::Address address) {
  ENTER_IN_CONTEXT("cuMemGetAddressRange_v2");
  void* start = nullptr;
  if (!Memory::Get().RangeOf(cuda::BytesAt(address), &start, byte_size)) return cuda::kInvalidValue;
  *base = cuda::AddressOf(start);
  return 0;
}
WB_VISIBLE int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  ENTER("cuDeviceCanAccessPeer");
  *can = device != peer ? 1 : 0;
  return 0;
}
WB_VISIBLE int cuCtxEnablePeerAccess(void*, unsigned) {
  ENTER_IN_CONTEXT("cuCtxEnablePeerAccess");
  return State::Get().Calls("cuCtxEnablePeerAccess") > 1 ? cuda::kPeerAccessAlreadyEnabled : 0;
}
WB_VISIBLE int cuIpcGetMemHandle(cuda::IpcHandle* handle, cuda::Address address) {
  ENTER_IN_CONTEXT("cuIpcGetMemHandle");
  Memory::Shared shared{};
  if (!Memory::Get().Share(cuda::BytesAt(address), &shared)) return Violated(cuda::kInvalidValue);
  static_assert(sizeof shared <= sizeof handle->bytes);
  std::memcpy(handle->bytes, &shared, sizeof shared);
  return 0;
}
WB_VISIBLE int cuIpcOpenMemHandle_v2(cuda::Address* address, cuda::IpcHandle handle, unsigned) {
  ENTER_IN_CONTEXT("cuIpcOpenMemHandle_v2");
  Memory::Shared shared{};
  std::memcpy(&shared, handle.bytes, sizeof shared);
  if (shared.process == getpid())
    return Violated(kInvalidContext);  // as the driver: not in one's own process
  void* const bytes = Memory::Get().Open(shared);
  *address = cuda::AddressOf(bytes);
  return bytes == nullptr ? cuda::kInvalidValue : 0;
}
WB_VISIBLE int cuIpcCloseMemHandle(cuda::Address address) {
  ENTER_IN_CONTEXT("cuIpcCloseMemHandle");
  return Memory::Get().Close(cuda::BytesAt(address)) ? 0 : Violated(cuda::kInvalidValue);
}
