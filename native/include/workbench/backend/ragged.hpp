// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Ragged batches: what a configuration's `batch_input` computes from the shapes of a batch's requests, and
// how its `batch_output` deals one tensor to requests of different shapes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "triton/core/tritonserver.h"
#include "workbench/backend/json.hpp"
#include "workbench/backend/span.hpp"

namespace workbench {

// A tensor of a whole batch; valid while the backend executes.
class BatchTensor {
 public:
  BatchTensor(TRITONSERVER_DataType type, std::vector<int64_t> shape, Span<const char> bytes)
      : data_type_(type), shape_(std::move(shape)), bytes_(bytes) {}

  TRITONSERVER_DataType data_type() const { return data_type_; }
  Shape shape() const { return shape_; }
  Span<const char> bytes() const { return bytes_; }
  // Throws INVALID_ARG unless the tensor's type is T's.
  template <typename T>
  Span<const T> as() const {
    RequireType(DataTypeOf<T>::value);
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

 private:
  void RequireType(TRITONSERVER_DataType type) const;

  TRITONSERVER_DataType data_type_;
  std::vector<int64_t> shape_;
  Span<const char> bytes_;
};

namespace detail {

// One entry of `batch_input`, carried out over the shapes that its source has in the requests.
class BatchInputRule {
 public:
  BatchInputRule(const Json& config, const char* target);

  const std::string& source() const { return source_; }
  TRITONSERVER_DataType type() const { return type_; }  // INT32 or FP32: four bytes either way
  std::vector<int64_t> ShapeFor(const std::vector<Shape>& shapes) const;
  // Elements as ShapeFor says, at `target`. The kind that is a shape alone has zeros.
  void Fill(const std::vector<Shape>& shapes, char* target) const;

 private:
  int64_t RowsOf(Shape shape) const;
  int64_t ItemRank(Shape shape) const;
  char* Put(int64_t value, char* target) const;
  char* PutItemShapes(Shape shape, char* target) const;

  std::string kind_;
  std::string source_;
  TRITONSERVER_DataType type_ = TRITONSERVER_TYPE_INVALID;
  bool is_batched_ = false;
};

// One entry of `batch_output`: BATCH_SCATTER_WITH_INPUT_SHAPE.
class BatchOutputRule {
 public:
  BatchOutputRule(const Json& config, const char* target);

  const std::string& source() const { return source_; }
  // Sizes that vary are the input's at the same place.
  std::vector<int64_t> ShapeFor(Shape input) const;

 private:
  std::string source_;
  std::vector<int64_t> dims_;
};

}  // namespace detail
}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/ragged.hpp"
#endif
