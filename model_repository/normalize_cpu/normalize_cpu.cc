// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of bytes, channels last, become normalized floats, channels first: the twin of normalize_cuda for
// machines without a GPU.
#include <array>
#include <workbench/backend.hpp>

namespace {

constexpr int64_t kChannels = 3;
constexpr std::array<float, kChannels> kMean{0.485F, 0.456F, 0.406F};
constexpr std::array<float, kChannels> kScale{1 / 0.229F, 1 / 0.224F, 1 / 0.225F};

}  // namespace

struct NormalizeCpu {
  void Execute(workbench::Request& request) {
    const workbench::Input images = request.input("IMAGES");
    const workbench::Shape shape = images.shape();
    const int64_t pixel_count = shape[1] * shape[2];
    const uint8_t* pixels = images.as<uint8_t>().data();
    float* planes = request.output("PIXELS").Allocate<float>({shape[0], kChannels, shape[1], shape[2]}).data();
    for (int64_t row = 0; row < shape[0]; ++row) {
      for (int64_t i = 0; i < pixel_count; ++i) {
        for (size_t channel = 0; channel < kChannels; ++channel) {
          planes[static_cast<int64_t>(channel) * pixel_count + i] =
              (static_cast<float>(*pixels++) / 255.0F - kMean[channel]) * kScale[channel];
        }
      }
      planes += kChannels * pixel_count;
    }
  }
};

WORKBENCH_BACKEND(NormalizeCpu)
