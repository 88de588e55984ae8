// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// An image of any size as ResNet-50 reads it: scaled until its shorter side has 256 pixels (bilinear, pixel
// centres aligned), the middle 224 x 224 cut out, normalized, channels first.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>
#include <workbench/backend.hpp>

namespace {

constexpr int64_t kSide = 224;
constexpr int64_t kShorterSide = 256;
constexpr int64_t kChannels = 3;
constexpr std::array<float, kChannels> kMean{0.485F, 0.456F, 0.406F};
constexpr std::array<float, kChannels> kDeviation{0.229F, 0.224F, 0.225F};

// Which two source pixels a target pixel lies between, and how near it is to the second.
struct Tap {
  int64_t first;
  int64_t second;
  float weight;
};

// Of the middle kSide of `scaled` pixels that `size` source pixels become.
std::vector<Tap> TapsOf(int64_t size, int64_t scaled) {
  const int64_t start = (scaled - kSide) / 2;
  const float scale = static_cast<float>(size) / static_cast<float>(scaled);
  std::vector<Tap> taps;
  for (int64_t i = 0; i < kSide; ++i) {
    const float centre = (static_cast<float>(start + i) + 0.5F) * scale - 0.5F;
    const float at = std::clamp(centre, 0.0F, static_cast<float>(size - 1));
    const auto first = static_cast<int64_t>(at);
    taps.push_back({first, std::min(first + 1, size - 1), at - static_cast<float>(first)});
  }
  return taps;
}

}  // namespace

struct Resnet50Pixels {
  void Execute(workbench::Request& request) {
    const workbench::Input image = request.input("IMAGE");
    const workbench::Shape shape = image.shape();
    if (shape[0] < 1 || shape[1] < 1 || shape[2] != kChannels) {
      throw workbench::InvalidArgument("IMAGE is " + workbench::ToString(shape) +
                                       "; height, width and 3 channels are right");
    }
    const int64_t shorter = std::min(shape[0], shape[1]);
    const auto scaled = [&](int64_t size) {
      return static_cast<int64_t>(
          std::lround(static_cast<double>(size * kShorterSide) / static_cast<double>(shorter)));
    };
    const std::vector<Tap> rows = TapsOf(shape[0], scaled(shape[0]));
    const std::vector<Tap> columns = TapsOf(shape[1], scaled(shape[1]));
    const uint8_t* const pixels = image.as<uint8_t>().data();
    float* out = request.output("PIXELS").Allocate<float>({1, kChannels, kSide, kSide}).data();
    for (int64_t channel = 0; channel < kChannels; ++channel) {
      for (const Tap& row : rows) out = FillRow(pixels + channel, shape[1], row, columns, channel, out);
    }
  }

 private:
  static float* FillRow(const uint8_t* pixels, int64_t width, const Tap& row, const std::vector<Tap>& columns,
                        int64_t channel, float* out) {
    const uint8_t* const upper = pixels + row.first * width * kChannels;
    const uint8_t* const lower = pixels + row.second * width * kChannels;
    const auto between = [](float a, float b, float weight) { return a + (b - a) * weight; };
    const auto at = static_cast<size_t>(channel);
    for (const Tap& column : columns) {
      const int64_t left = column.first * kChannels;
      const int64_t right = column.second * kChannels;
      const float value = between(between(upper[left], upper[right], column.weight),
                                  between(lower[left], lower[right], column.weight), row.weight);
      *out++ = (value / 255.0F - kMean[at]) / kDeviation[at];
    }
    return out;
  }
};

WORKBENCH_BACKEND(Resnet50Pixels)
