// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Gpu and GpuStream: for backends whose work a GPU does while Execute has returned. Not part of backend.hpp;
// include it besides. The driver library is opened at run time, so that a backend loads anywhere; no toolkit
// is needed, and a CUDA cell may use its own runtime beside it.
//
//   struct Copies {  // one per instance
//     explicit Copies(const workbench::Instance& instance) : stream_(instance) {}
//     void Execute(workbench::Batch& batch) {
//       stream_.Run(batch, [&] {
//         const float* rows = stream_.Gather<float>(batch, "IN");     // on the GPU, borrowed where they lie
//         there stream_.Scatter<float>(batch, "OUT", rows, {4});            // to each request, wherever it
//         wants them
//       });                                                           // answered once the stream got there
//     }
//     workbench::GpuStream stream_;
//   };
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "workbench/backend/batch.hpp"
#include "workbench/backend/copies.hpp"
#include "workbench/backend/cuda_functions.hpp"
#include "workbench/backend/memory.hpp"

namespace workbench {

// A GPU by its number, through its primary context, which CUDA's runtime uses too.
class Gpu {
 public:
  // Throws UNSUPPORTED where there is no driver or no such GPU.
  explicit Gpu(int32_t device_id);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  int32_t device_id() const { return device_id_; }
  // Calls a function of the driver in the GPU's context; throws what is not success.
  template <typename Call>
  void Do(const char* what, const Call& call) const {
    const Current current(*this);
    Require(call(driver_), what);
  }

 private:
  struct Current {
    explicit Current(const Gpu& gpu);
    ~Current();
    const cuda::Functions& driver;
  };
  void Require(int code, const char* what) const;

  cuda::Functions driver_;
  const int32_t device_id_;
  cuda::Device device_ = 0;
  cuda::Context context_ = nullptr;
};

// Work of one instance on its GPU. Used by the instance's thread; answers come from a thread of its own.
class GpuStream {
 public:
  explicit GpuStream(const Instance& instance);
  // Everything that Run took is answered when it returns.
  ~GpuStream();
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;

  const Gpu& gpu() const { return gpu_; }
  // For kernels: a cudaStream_t is the same.
  cuda::Stream handle() const { return stream_; }

  // Runs body, which puts work on the stream, and answers the batch when the stream has done it. If body
  // throws, what it had put there is waited for, and the batch fails as any does.
  template <typename Body>
  void Run(Batch& batch, Body&& body) {
    try {
      body();
      BringHome();
    } catch (...) {
      WaitForStream();
      homeward_.clear();
      taken_.clear();
      throw;
    }
    Answer(batch);
  }
  // The input's elements of all requests, one after the other, on the GPU: borrowed from a lone request where
  // they lie there in one piece, else copied by the stream, each piece once. Valid until the stream got
  // there.
  template <typename T>
  const T* Gather(Batch& batch, const char* name) {
    return static_cast<const T*>(GatherBytes(batch, name, DataTypeOf<T>::value));
  }
  // Copies rows of an output, one request's after the other, from the GPU to where the requests want them.
  template <typename T>
  void Scatter(Batch& batch, const char* name, const T* rows, Shape row_shape) {
    ScatterBytes(batch, name, DataTypeOf<T>::value, sizeof(T), rows, row_shape);
  }
  // One request's input on the GPU: as Gather does it.
  template <typename T>
  const T* Bring(const Request& request, const char* name) {
    return static_cast<const T*>(BringBytes(request.input(name), DataTypeOf<T>::value));
  }
  // Memory of the GPU that becomes one request's output: where the request wants it if that is there, else
  // copied there once the body is done. The name must outlive the body.
  template <typename T>
  T* Output(Request& request, const char* name, Shape shape) {
    return static_cast<T*>(OutputBytes(request, name, DataTypeOf<T>::value, sizeof(T), shape));
  }
  // Memory of the GPU for this batch alone, from the server's pool: kept until the batch is answered.
  template <typename T>
  T* Take(size_t count) {
    return static_cast<T*>(TakeBytes(count * sizeof(T)));
  }
  void Copy(void* target, const void* source, uint64_t byte_size);
  void WaitForStream() noexcept;
  void DestroyStream() noexcept;

 private:
  // What a batch needs until it is answered.
  struct Pending {
    GpuStream* stream;
    std::unique_ptr<Batch> batch;
    std::vector<Memory> memory;
  };
  struct Homeward {
    void* target;
    const void* source;
    uint64_t byte_size;
  };
  const void* GatherBytes(Batch& batch, const char* name, TRITONSERVER_DataType type);
  const void* BringBytes(const Input& input, TRITONSERVER_DataType type);
  void* OutputBytes(Request& request, const char* name, TRITONSERVER_DataType type, size_t element_byte_size,
                    Shape shape);
  void BringHome();
  // Copies the input's pieces to target; returns its end.
  char* CopyPieces(const Input& input, char* target, uint64_t* from_host);
  // The input's bytes where they lie on this GPU in one piece, else null.
  const void* BytesHere(const Input& input) const;
  void ScatterBytes(Batch& batch, const char* name, TRITONSERVER_DataType type, size_t element_byte_size,
                    const void* rows, Shape row_shape);
  void* TakeBytes(uint64_t byte_size);
  void Answer(Batch& batch);
  static void OnDone(void* pending);
  void Serve();

  const Instance& instance_;
  const Gpu gpu_;
  cuda::Stream stream_ = nullptr;
  std::vector<Memory> taken_;       // by the batch that is being put on the stream
  std::vector<Homeward> homeward_;  // its outputs that are not where they are wanted

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Pending>> done_;  // to be answered; guarded by mutex_
  bool is_ending_ = false;                     // guarded by mutex_
  std::thread answering_;                      // the driver's own thread may not call the driver, answers may
};

}  // namespace workbench

#include "workbench/backend/definitions/gpu.hpp"
