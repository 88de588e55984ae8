// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What gpu.hpp declares.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "workbench/backend/gpu.hpp"

namespace workbench {

inline Gpu::Gpu(int32_t device_id) : device_id_(device_id) {
  const char* const told = std::getenv("WORKBENCH_CUDA_DRIVER");
  void* const library =
      dlopen(told != nullptr && *told != '\0' ? told : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw Unsupported(
        "this machine has no CUDA driver; the model runs on a GPU alone, its CPU twin anywhere");
  const char* const missing = driver_.Bind([&](const char* name) { return dlsym(library, name); });
  if (missing != nullptr) throw Unsupported(std::string("the CUDA driver is too old: it lacks ") + missing);
  Require(driver_.init(0), "cuInit");
  Require(driver_.device_get(&device_, device_id_), "cuDeviceGet");
  Require(driver_.context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

inline Gpu::~Gpu() { (void)driver_.context_release(device_); }

inline Gpu::Current::Current(const Gpu& gpu) : driver(gpu.driver_) {
  gpu.Require(driver.context_push(gpu.context_), "cuCtxPushCurrent");
}

inline Gpu::Current::~Current() {
  cuda::Context popped = nullptr;
  (void)driver.context_pop(&popped);
}

inline void Gpu::Require(int code, const char* what) const {
  if (code == cuda::kSuccess) return;
  const char* text = nullptr;
  (void)driver_.error_string(code, &text);
  const std::string message = std::string(what) + " failed on GPU " + std::to_string(device_id_) +
                              " with CUDA error " + std::to_string(code) + ": " +
                              (text != nullptr ? text : "");
  if (code == cuda::kOutOfMemory) throw Error(TRITONSERVER_ERROR_UNAVAILABLE, message);
  throw Internal(message);
}

inline GpuStream::GpuStream(const Instance& instance) : instance_(instance), gpu_(instance.device_id()) {
  gpu_.Do("cuStreamCreate", [this](const cuda::Functions& driver) {
    return driver.stream_create(&stream_, cuda::kStreamNonBlocking);
  });
  try {
    answering_ = std::thread([this] { Serve(); });
  } catch (const std::exception& failure) {
    DestroyStream();
    throw Error(TRITONSERVER_ERROR_UNAVAILABLE,
                std::string("no thread can be started that answers: ") + failure.what());
  }
}

inline GpuStream::~GpuStream() {
  WaitForStream();  // its callbacks have run: all that is to be answered is in the list
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  answering_.join();
  DestroyStream();
}

inline void GpuStream::DestroyStream() noexcept {
  try {
    gpu_.Do("cuStreamDestroy",
            [this](const cuda::Functions& driver) { return driver.stream_destroy(stream_); });
  } catch (const std::exception& failure) {
    Log(TRITONSERVER_LOG_ERROR, failure.what());
  }
}

inline void GpuStream::WaitForStream() noexcept {
  try {
    gpu_.Do("cuStreamSynchronize",
            [this](const cuda::Functions& driver) { return driver.stream_synchronize(stream_); });
  } catch (const std::exception& failure) {
    Log(TRITONSERVER_LOG_ERROR, failure.what());
  }
}

inline void GpuStream::Copy(void* target, const void* source, uint64_t byte_size) {
  if (byte_size == 0) return;
  gpu_.Do("cuMemcpyAsync", [&](const cuda::Functions& driver) {
    return driver.copy(cuda::AddressOf(target), cuda::AddressOf(source), byte_size, stream_);
  });
}

inline void* GpuStream::TakeBytes(uint64_t byte_size) {
  taken_.emplace_back(instance_.model(), std::max<uint64_t>(byte_size, 1), TRITONSERVER_MEMORY_GPU,
                      instance_.device_id());
  return taken_.back().data();
}

inline const void* GpuStream::BytesHere(const Input& input) const {
  if (input.buffer_count() != 1) return nullptr;
  const Buffer piece = input.buffer(0, TRITONSERVER_MEMORY_GPU);
  const bool is_here =
      piece.memory_type == TRITONSERVER_MEMORY_GPU && piece.memory_type_id == gpu_.device_id();
  return is_here ? piece.data : nullptr;
}

inline char* GpuStream::CopyPieces(const Input& input, char* target, uint64_t* from_host) {
  for (uint32_t i = 0; i < input.buffer_count(); ++i) {
    const Buffer piece = input.buffer(i, TRITONSERVER_MEMORY_GPU);
    Copy(target, piece.data, piece.byte_size);
    target += piece.byte_size;
    if (piece.memory_type != TRITONSERVER_MEMORY_GPU) *from_host += piece.byte_size;
  }
  return target;
}

inline const void* GpuStream::BringBytes(const Input& input, TRITONSERVER_DataType type) {
  input.RequireType(type);
  if (const void* const here = BytesHere(input)) return here;
  uint64_t from_host = 0;
  char* const brought = static_cast<char*>(TakeBytes(input.byte_size()));
  CopyPieces(input, brought, &from_host);
  ReportCopy(instance_.handle(), CopyReason::kHostToDevice, from_host);
  ReportCopy(instance_.handle(), CopyReason::kGathered, input.byte_size() - from_host);
  return brought;
}

inline const void* GpuStream::GatherBytes(Batch& batch, const char* name, TRITONSERVER_DataType type) {
  if (batch.size() == 1) return BringBytes(batch[0].input(name), type);
  uint64_t byte_size = 0;
  for (Request& request : batch) {
    request.input(name).RequireType(type);
    byte_size += request.input(name).byte_size();
  }
  uint64_t from_host = 0;
  char* const gathered = static_cast<char*>(TakeBytes(byte_size));
  char* end = gathered;
  for (Request& request : batch) end = CopyPieces(request.input(name), end, &from_host);
  ReportCopy(instance_.handle(), CopyReason::kHostToDevice, from_host);
  ReportCopy(instance_.handle(), CopyReason::kGathered, byte_size - from_host);
  return gathered;
}

inline void* GpuStream::OutputBytes(Request& request, const char* name, TRITONSERVER_DataType type,
                                    size_t element_byte_size, Shape shape) {
  const uint64_t byte_size = static_cast<uint64_t>(ElementCount(shape)) * element_byte_size;
  TRITONSERVER_MemoryType place = TRITONSERVER_MEMORY_GPU;
  int64_t id = gpu_.device_id();
  void* const target = request.output(name).Allocate(type, shape, byte_size, &place, &id);
  if (place == TRITONSERVER_MEMORY_GPU && id == gpu_.device_id()) return target;
  void* const here = TakeBytes(byte_size);
  homeward_.push_back({target, here, byte_size});
  return here;
}

inline void GpuStream::BringHome() {
  uint64_t byte_size = 0;
  for (const Homeward& output : homeward_) {
    Copy(output.target, output.source, output.byte_size);
    byte_size += output.byte_size;
  }
  homeward_.clear();
  ReportCopy(instance_.handle(), CopyReason::kBroughtHome, byte_size);
}

inline void GpuStream::ScatterBytes(Batch& batch, const char* name, TRITONSERVER_DataType type,
                                    size_t element_byte_size, const void* rows, Shape row_shape) {
  const char* from = static_cast<const char*>(rows);
  uint64_t home = 0;
  uint64_t dealt = 0;
  for (Request& request : batch) {
    std::vector<int64_t> shape(row_shape.begin(), row_shape.end());
    if (instance_.model().max_batch_size() > 0) shape.insert(shape.begin(), request.rows());
    const uint64_t byte_size = static_cast<uint64_t>(ElementCount(shape)) * element_byte_size;
    if (!request.has_failed()) {
      TRITONSERVER_MemoryType place = TRITONSERVER_MEMORY_GPU;
      int64_t id = gpu_.device_id();
      void* const target = request.output(name).Allocate(type, shape, byte_size, &place, &id);
      Copy(target, from, byte_size);
      (place == TRITONSERVER_MEMORY_GPU ? dealt : home) += byte_size;
    }
    from += byte_size;
  }
  ReportCopy(instance_.handle(), CopyReason::kBroughtHome, home);
  ReportCopy(instance_.handle(), CopyReason::kScattered, dealt);
}

inline void GpuStream::Answer(Batch& batch) {
  auto pending = std::make_unique<Pending>(Pending{this, batch.Detach(), std::move(taken_)});
  taken_.clear();
  Pending* const handed = pending.get();
  try {
    gpu_.Do("cuLaunchHostFunc", [&](const cuda::Functions& driver) {
      return driver.launch_host_function(stream_, &GpuStream::OnDone, handed);
    });
    static_cast<void>(pending.release());  // OnDone takes it
  } catch (...) {
    // The stream cannot tell when it is done: waited for here.
    WaitForStream();
    pending->batch->Finish();
  }
}

inline void GpuStream::OnDone(void* handed) {
  std::unique_ptr<Pending> pending(static_cast<Pending*>(handed));
  GpuStream& stream = *pending->stream;
  const std::lock_guard<std::mutex> lock(stream.mutex_);
  pending->batch->MarkComputeEnd();
  stream.done_.push_back(std::move(pending));
  stream.changed_.notify_all();
}

inline void GpuStream::Serve() {
  for (;;) {
    std::unique_ptr<Pending> pending;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || !done_.empty(); });
      if (done_.empty()) return;
      pending = std::move(done_.front());
      done_.pop_front();
    }
    pending->memory.clear();  // before the last answer: whoever unloads the model then finds its pools empty
    pending->batch->Finish();
  }
}

}  // namespace workbench
