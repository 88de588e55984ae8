// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of bytes, channels last, become normalized floats, channels first: a whole batch by one kernel that
// reads each request's images where they lie and writes each output where it is wanted, so that nothing is
// gathered or scattered besides. Execute returns at once; answers come when the stream got there.
#include <cuda_runtime.h>

#include <workbench/backend.hpp>
#include <workbench/backend/gpu.hpp>

namespace {

constexpr int kChannels = 3;
constexpr int kMostImages = 64;
constexpr int kThreads = 256;

struct Images {  // of all requests; lies in the kernel's arguments
  const uint8_t* pixels[kMostImages];
  float* planes[kMostImages];
};

__global__ void Normalize(Images images, int pixel_count, float3 mean, float3 scale) {
  const uint8_t* const from = images.pixels[blockIdx.y];
  float* const to = images.planes[blockIdx.y];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixel_count; i += gridDim.x * blockDim.x) {
    const uint8_t* const pixel = from + i * kChannels;
    to[i] = (pixel[0] / 255.0F - mean.x) * scale.x;
    to[i + pixel_count] = (pixel[1] / 255.0F - mean.y) * scale.y;
    to[i + 2 * pixel_count] = (pixel[2] / 255.0F - mean.z) * scale.z;
  }
}

}  // namespace

class NormalizeCuda {
 public:
  explicit NormalizeCuda(const workbench::Instance& instance) : stream_(instance), device_(instance.device_id()) {}

  void Execute(workbench::Batch& batch) {
    if (cudaSetDevice(device_) != cudaSuccess) throw workbench::Internal("cudaSetDevice failed");
    stream_.Run(batch, [&] {
      Images images{};
      int count = 0;
      int64_t pixel_count = 0;
      for (workbench::Request& request : batch) {
        const workbench::Shape shape = request.input("IMAGES").shape();
        pixel_count = shape[1] * shape[2];  // the same for all: others make another batch
        const uint8_t* pixels = stream_.Bring<uint8_t>(request, "IMAGES");
        float* planes = stream_.Output<float>(request, "PIXELS", {shape[0], kChannels, shape[1], shape[2]});
        for (int64_t row = 0; row < shape[0]; ++row, ++count) {
          if (count == kMostImages) throw workbench::InvalidArgument("a batch has at most 64 images");
          images.pixels[count] = pixels + row * pixel_count * kChannels;
          images.planes[count] = planes + row * pixel_count * kChannels;
        }
      }
      Launch(images, count, static_cast<int>(pixel_count));
    });
  }

 private:
  void Launch(const Images& images, int count, int pixel_count) const {
    if (count == 0 || pixel_count == 0) return;
    const dim3 blocks(static_cast<unsigned>((pixel_count + kThreads - 1) / kThreads), static_cast<unsigned>(count));
    const float3 mean{0.485F, 0.456F, 0.406F};
    const float3 scale{1 / 0.229F, 1 / 0.224F, 1 / 0.225F};
    Normalize<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream_.handle())>>>(images, pixel_count, mean, scale);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) throw workbench::Internal(cudaGetErrorString(error));
  }

  workbench::GpuStream stream_;
  const int device_;
};

WORKBENCH_BACKEND(NormalizeCuda)
