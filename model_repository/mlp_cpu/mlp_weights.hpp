// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The weights of the samples mlp_cpu and mlp_cuda: made by a formula, so that there is no file to fetch.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

struct MlpWeights {
  static constexpr int64_t kInputs = 256;
  static constexpr int64_t kOutputs = 16;

  explicit MlpWeights(int64_t hidden_count)
      : hidden(hidden_count), first(Made(kInputs, hidden, 1)), second(Made(hidden, kOutputs, 2)) {}

  // Small enough that sums stay near one.
  static std::vector<float> Made(int64_t rows, int64_t columns, uint32_t seed) {
    std::vector<float> weights(static_cast<size_t>(rows * columns));
    const float scale = 1 / std::sqrt(static_cast<float>(rows));
    uint32_t state = seed;
    for (float& weight : weights) {
      state = state * 1664525u + 1013904223u;
      weight = (static_cast<float>(state >> 8) / 8388608.0F - 1) * scale;
    }
    return weights;
  }

  const int64_t hidden;
  const std::vector<float> first;   // kInputs rows of `hidden`
  const std::vector<float> second;  // `hidden` rows of kOutputs
};
