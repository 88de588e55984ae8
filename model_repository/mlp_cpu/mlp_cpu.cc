// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Two layers, relu between them: the twin of mlp_cuda for machines without a GPU.
#include <algorithm>
#include <vector>
#include <workbench/backend.hpp>

#include "mlp_weights.hpp"

struct MlpCpu {
  explicit MlpCpu(const workbench::Instance& instance)
      : weights_(instance.model().parameter("hidden", 512)), hidden_(static_cast<size_t>(weights_.hidden)) {}

  void Execute(workbench::Batch& batch) {
    const auto x = batch.Gather<float>("X");
    const auto y = batch.Scatter<float>("Y", {MlpWeights::kOutputs});
    for (int64_t row = 0; row < batch.rows(); ++row) {
      Layer(x.data() + row * MlpWeights::kInputs, MlpWeights::kInputs, weights_.first, hidden_.data(), weights_.hidden);
      for (float& value : hidden_) value = std::max(value, 0.0F);
      Layer(hidden_.data(), weights_.hidden, weights_.second, y.data() + row * MlpWeights::kOutputs,
            MlpWeights::kOutputs);
    }
  }

 private:
  // to = from times weights, whose rows stand for what is in `from`.
  static void Layer(const float* from, int64_t from_count, const std::vector<float>& weights, float* to,
                    int64_t to_count) {
    std::fill_n(to, to_count, 0.0F);
    for (int64_t i = 0; i < from_count; ++i) {
      for (int64_t j = 0; j < to_count; ++j) to[j] += from[i] * weights[static_cast<size_t>(i * to_count + j)];
    }
  }

  const MlpWeights weights_;
  std::vector<float> hidden_;
};

WORKBENCH_BACKEND(MlpCpu)
