// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Two layers, relu between them, on a GPU: two products by cuBLAS, which is opened at run time, so that the
// backend builds and loads without it. Execute puts its work on the instance's stream and returns; answers come
// when the stream got there, while the next batch is put on it.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <workbench/backend.hpp>
#include <workbench/backend/gpu.hpp>

#include "mlp_weights.hpp"

namespace {

// The four functions of cuBLAS that are needed, by the names that its libraries have had since version 10.
class Cublas {
 public:
  explicit Cublas(workbench::cuda::Stream stream) {
    Bind(&create_, "cublasCreate_v2");
    Bind(&destroy_, "cublasDestroy_v2");
    Bind(&set_stream_, "cublasSetStream_v2");
    Bind(&sgemm_, "cublasSgemm_v2");
    Require(create_(&handle_), "cublasCreate");
    Require(set_stream_(handle_, stream), "cublasSetStream");
  }
  ~Cublas() { (void)destroy_(handle_); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // c = a times b, all of them row after row; to cuBLAS, which counts by columns, that is b times a.
  void Multiply(const float* a, const float* b, float* c, int64_t rows, int64_t inner, int64_t columns) const {
    constexpr float kOne = 1;
    constexpr float kZero = 0;
    const auto m = static_cast<int>(columns);
    const auto n = static_cast<int>(rows);
    const auto k = static_cast<int>(inner);
    Require(sgemm_(handle_, kAsIs, kAsIs, m, n, k, &kOne, b, m, a, k, &kZero, c, m), "cublasSgemm");
  }

 private:
  static constexpr int kAsIs = 0;
  static void* Library() {
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}) {
      if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    }
    throw workbench::Unsupported("mlp_cuda needs cuBLAS (libcublas.so.13, .12 or .11) where libraries are looked for; "
                                 "mlp_cpu needs none");
  }
  template <typename Function>
  void Bind(Function** function, const char* name) {
    if (library_ == nullptr) library_ = Library();
    *function = reinterpret_cast<Function*>(dlsym(library_, name));
    if (*function == nullptr) throw workbench::Unsupported(std::string("this cuBLAS has no ") + name);
  }
  static void Require(int status, const char* what) {
    if (status != 0) throw workbench::Internal(std::string(what) + " answered " + std::to_string(status));
  }

  void* library_ = nullptr;
  void* handle_ = nullptr;
  int (*create_)(void** handle) = nullptr;
  int (*destroy_)(void* handle) = nullptr;
  int (*set_stream_)(void* handle, void* stream) = nullptr;
  int (*sgemm_)(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
                const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc) = nullptr;
};

__global__ void Relu(float* values, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] = fmaxf(values[i], 0);
}

void UseDevice(int device) {
  if (cudaSetDevice(device) != cudaSuccess) throw workbench::Internal("cudaSetDevice failed");
}

}  // namespace

class MlpCuda {
 public:
  explicit MlpCuda(const workbench::Instance& instance)
      : device_((UseDevice(instance.device_id()), instance.device_id())),
        weights_(instance.model().parameter("hidden", 512)),
        first_(OnGpu(instance, weights_.first)),
        second_(OnGpu(instance, weights_.second)),
        stream_(instance),
        cublas_(stream_.handle()) {
    stream_.Copy(first_.data(), weights_.first.data(), first_.byte_size());
    stream_.Copy(second_.data(), weights_.second.data(), second_.byte_size());
    stream_.WaitForStream();
  }

  void Execute(workbench::Batch& batch) {
    UseDevice(device_);
    stream_.Run(batch, [&] {
      const int64_t rows = batch.rows();
      const float* const x = stream_.Gather<float>(batch, "X");
      auto* const hidden = stream_.Take<float>(static_cast<size_t>(rows * weights_.hidden));
      auto* const y = stream_.Take<float>(static_cast<size_t>(rows * MlpWeights::kOutputs));
      cublas_.Multiply(x, First(), hidden, rows, MlpWeights::kInputs, weights_.hidden);
      Activate(hidden, static_cast<int>(rows * weights_.hidden));
      cublas_.Multiply(hidden, Second(), y, rows, weights_.hidden, MlpWeights::kOutputs);
      stream_.Scatter<float>(batch, "Y", y, {MlpWeights::kOutputs});
    });
  }

 private:
  static workbench::Memory OnGpu(const workbench::Instance& instance, const std::vector<float>& values) {
    return workbench::Memory(instance.model(), values.size() * sizeof(float), TRITONSERVER_MEMORY_GPU,
                             instance.device_id());
  }
  const float* First() const { return static_cast<const float*>(first_.data()); }
  const float* Second() const { return static_cast<const float*>(second_.data()); }
  void Activate(float* values, int count) const {
    constexpr int kThreads = 256;
    const int blocks = std::max(1, std::min((count + kThreads - 1) / kThreads, 1024));
    Relu<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream_.handle())>>>(values, count);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) throw workbench::Internal(cudaGetErrorString(error));
  }

  const int device_;
  const MlpWeights weights_;
  workbench::Memory first_;
  workbench::Memory second_;
  workbench::GpuStream stream_;  // after the memory that its work uses: it goes first, and waits
  Cublas cublas_;
};

WORKBENCH_BACKEND(MlpCuda)
