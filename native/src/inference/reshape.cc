// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/reshape.h"

#include <algorithm>

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

bool Matches(const std::vector<int64_t>& dims, std::vector<int64_t>::const_iterator shape, size_t rank) {
  if (dims.size() != rank) return false;
  return std::equal(dims.begin(), dims.end(), shape,
                    [](int64_t dim, int64_t actual) { return dim == -1 || dim == actual; });
}

}  // namespace

void ApplyReshape(const TensorSpec& spec, bool has_batch_dim, std::vector<int64_t>* shape) {
  Translate(spec.dims, spec.reshape, has_batch_dim, shape);
}

void UndoReshape(const TensorSpec& spec, bool has_batch_dim, std::vector<int64_t>* shape) {
  Translate(spec.reshape, spec.dims, has_batch_dim, shape);
}

void AdaptBatchDimension(const std::vector<int64_t>& dims, bool is_batched, bool is_taker_batched,
                         std::vector<int64_t>* shape) {
  if (is_batched == is_taker_batched) return;
  if (is_taker_batched) {
    if (Matches(dims, shape->begin(), shape->size())) shape->insert(shape->begin(), 1);
  } else if (!shape->empty() && shape->front() == 1 && Matches(dims, shape->begin() + 1, shape->size() - 1)) {
    shape->erase(shape->begin());
  }
}

}  // namespace workbench
