// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/reshape.h"

namespace workbench {
namespace {

void Translate(const std::vector<int64_t>& from, const std::vector<int64_t>& to, bool has_batch_dim,
               std::vector<int64_t>* shape) {
  const size_t offset = has_batch_dim ? 1 : 0;
  if (shape->size() != from.size() + offset) return;  // not of the declared rank: left for the reader to see
  std::vector<int64_t> variable;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == -1) variable.push_back((*shape)[i + offset]);
  }
  shape->resize(offset);
  size_t next_variable = 0;
  for (int64_t dim : to) {
    shape->push_back(dim == -1 && next_variable < variable.size() ? variable[next_variable++] : dim);
  }
}

}  // namespace

void ApplyReshape(const TensorSpec& spec, bool has_batch_dim, std::vector<int64_t>* shape) {
  Translate(spec.dims, spec.reshape, has_batch_dim, shape);
}

void UndoReshape(const TensorSpec& spec, bool has_batch_dim, std::vector<int64_t>* shape) {
  Translate(spec.reshape, spec.dims, has_batch_dim, shape);
}

}  // namespace workbench
