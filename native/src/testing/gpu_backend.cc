// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend for the core's tests that answers OUT with IN, by way of a GPU's memory and after Execute has
// returned.
#include "workbench/backend.hpp"
#include "workbench/backend/gpu.hpp"

namespace {

class Copies {
 public:
  explicit Copies(const workbench::Instance& instance) : stream_(instance) {}

  void Execute(workbench::Batch& batch) {
    stream_.Run(batch, [&] {
      const auto count = static_cast<size_t>(batch.rows()) * 4;
      const float* const rows = stream_.Gather<float>(batch, "IN");
      auto* const copy = stream_.Take<float>(count);
      stream_.Copy(copy, rows, count * sizeof(float));
      stream_.Scatter<float>(batch, "OUT", copy, {4});
    });
  }

 private:
  workbench::GpuStream stream_;
};

}  // namespace

WORKBENCH_BACKEND(Copies)
