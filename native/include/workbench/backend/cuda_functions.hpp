// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of the CUDA driver library (libcuda.so.1) that the core and backends use, found by name at
// run time: nothing here needs a toolkit. Opaque handles are void*, a device address is an integer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbench::cuda {

using Device = int;
using Context = void*;
using Stream = void*;
using Event = void*;
using Address = unsigned long long;
using HostFunction = void (*)(void* userp);

struct IpcHandle {
  char bytes[64];
};
struct Uuid {
  unsigned char bytes[16];
};

// Results that are told apart.
constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kNoDevice = 100;
constexpr int kNotReady = 600;
constexpr int kPeerAccessAlreadyEnabled = 704;
constexpr int kNotPermitted = 800;
constexpr int kNotSupported = 801;

constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kEventDisableTiming = 2;
constexpr unsigned kHostAllocPortable = 1;
constexpr unsigned kIpcLazyPeerAccess = 1;
constexpr int kPointerMemoryType = 2;  // attribute; answers 1 = host, 2 = device
constexpr int kPointerDevice = 9;      // attribute
constexpr int kCapabilityMajor = 75;   // attributes of a device
constexpr int kCapabilityMinor = 76;

// F(member, symbol, parameters)
#define WB_CUDA_DRIVER_FUNCTIONS(F)                                                                    \
  F(init, cuInit, (unsigned flags))                                                                    \
  F(driver_version, cuDriverGetVersion, (int* version))                                                \
  F(error_name, cuGetErrorName, (int code, const char** name))                                         \
  F(error_string, cuGetErrorString, (int code, const char** text))                                     \
  F(device_count, cuDeviceGetCount, (int* count))                                                      \
  F(device_get, cuDeviceGet, (Device * device, int ordinal))                                           \
  F(device_name, cuDeviceGetName, (char* name, int length, Device device))                             \
  F(device_uuid, cuDeviceGetUuid, (Uuid * uuid, Device device))                                        \
  F(device_attribute, cuDeviceGetAttribute, (int* value, int attribute, Device device))                \
  F(device_total_memory, cuDeviceTotalMem_v2, (size_t * byte_size, Device device))                     \
  F(context_retain, cuDevicePrimaryCtxRetain, (Context * context, Device device))                      \
  F(context_release, cuDevicePrimaryCtxRelease_v2, (Device device))                                    \
  F(context_push, cuCtxPushCurrent_v2, (Context context))                                              \
  F(context_pop, cuCtxPopCurrent_v2, (Context * context))                                              \
  F(memory_info, cuMemGetInfo_v2, (size_t * free_byte_size, size_t * total_byte_size))                 \
  F(memory_allocate, cuMemAlloc_v2, (Address * address, size_t byte_size))                             \
  F(memory_free, cuMemFree_v2, (Address address))                                                      \
  F(memory_range, cuMemGetAddressRange_v2, (Address * base, size_t * byte_size, Address address))      \
  F(host_allocate, cuMemHostAlloc, (void** address, size_t byte_size, unsigned flags))                 \
  F(host_free, cuMemFreeHost, (void* address))                                                         \
  F(copy, cuMemcpyAsync, (Address target, Address source, size_t byte_size, Stream stream))            \
  F(copy_peer, cuMemcpyPeerAsync,                                                                      \
    (Address target, Context target_context, Address source, Context source_context, size_t byte_size, \
     Stream stream))                                                                                   \
  F(fill, cuMemsetD8Async, (Address target, unsigned char value, size_t byte_size, Stream stream))     \
  F(stream_create, cuStreamCreate, (Stream * stream, unsigned flags))                                  \
  F(stream_destroy, cuStreamDestroy_v2, (Stream stream))                                               \
  F(stream_synchronize, cuStreamSynchronize, (Stream stream))                                          \
  F(stream_query, cuStreamQuery, (Stream stream))                                                      \
  F(stream_wait, cuStreamWaitEvent, (Stream stream, Event event, unsigned flags))                      \
  F(event_create, cuEventCreate, (Event * event, unsigned flags))                                      \
  F(event_destroy, cuEventDestroy_v2, (Event event))                                                   \
  F(event_record, cuEventRecord, (Event event, Stream stream))                                         \
  F(event_query, cuEventQuery, (Event event))                                                          \
  F(event_synchronize, cuEventSynchronize, (Event event))                                              \
  F(event_elapsed, cuEventElapsedTime, (float* milliseconds, Event start, Event end))                  \
  F(launch_host_function, cuLaunchHostFunc, (Stream stream, HostFunction function, void* userp))       \
  F(pointer_attribute, cuPointerGetAttribute, (void* value, int attribute, Address address))           \
  F(can_access_peer, cuDeviceCanAccessPeer, (int* can, Device device, Device peer))                    \
  F(enable_peer_access, cuCtxEnablePeerAccess, (Context peer, unsigned flags))                         \
  F(ipc_get_handle, cuIpcGetMemHandle, (IpcHandle * handle, Address address))                          \
  F(ipc_open_handle, cuIpcOpenMemHandle_v2, (Address * address, IpcHandle handle, unsigned flags))     \
  F(ipc_close_handle, cuIpcCloseMemHandle, (Address address))

struct Functions {
#define WB_CUDA_MEMBER(member, symbol, parameters) int(*member) parameters = nullptr;
  WB_CUDA_DRIVER_FUNCTIONS(WB_CUDA_MEMBER)
#undef WB_CUDA_MEMBER

  // address_of(name) tells where a function lies. Returns the name of the first that is missing, or null.
  template <typename AddressOf>
  const char* Bind(const AddressOf& address_of) {
#define WB_CUDA_BIND(member, symbol, parameters)                    \
  member = reinterpret_cast<decltype(member)>(address_of(#symbol)); \
  if (member == nullptr) return #symbol;
    WB_CUDA_DRIVER_FUNCTIONS(WB_CUDA_BIND)
#undef WB_CUDA_BIND
    return nullptr;
  }
};

inline Address AddressOf(const void* bytes) { return reinterpret_cast<uintptr_t>(bytes); }
inline void* BytesAt(Address address) { return reinterpret_cast<void*>(static_cast<uintptr_t>(address)); }

}  // namespace workbench::cuda
