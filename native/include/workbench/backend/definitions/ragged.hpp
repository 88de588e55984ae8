// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What ragged.hpp declares.
#pragma once

#include <algorithm>
#include <cstring>

#include "workbench/backend/ragged.hpp"

namespace workbench {

WB_INLINE void BatchTensor::RequireType(TRITONSERVER_DataType type) const {
  if (data_type_ == type) return;
  throw InvalidArgument(detail::Join({"the batch input is ", TRITONSERVER_DataTypeString(data_type_),
                                      ", and the backend reads it as ", TRITONSERVER_DataTypeString(type)}));
}

namespace detail {

// The entry of `batch_input` or `batch_output` that has the target; throws INVALID_ARG where none does.
WB_INLINE Json RuleFor(const Json& config, const char* list, const char* target) {
  for (const Json& rule : config[list].elements()) {
    for (const Json& name : rule["target_name"].elements()) {
      if (name.string() == target) return rule;
    }
  }
  throw InvalidArgument(Join({"the configuration has no ", list, " with target_name \"", target, "\""}));
}

WB_INLINE BatchInputRule::BatchInputRule(const Json& config, const char* target) {
  const Json rule = RuleFor(config, "batch_input", target);
  kind_ = rule["kind"].string();
  source_ = rule["source_input"][size_t{0}].string();
  type_ = rule["data_type"].string() == "TYPE_FP32" ? TRITONSERVER_TYPE_FP32 : TRITONSERVER_TYPE_INT32;
  is_batched_ = config["max_batch_size"].integer() > 0;
}

WB_INLINE std::vector<int64_t> BatchInputRule::ShapeFor(const std::vector<Shape>& shapes) const {
  const auto count = static_cast<int64_t>(shapes.size());
  if (kind_ == "BATCH_ELEMENT_COUNT" || kind_ == "BATCH_ACCUMULATED_ELEMENT_COUNT") return {count};
  if (kind_ == "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO") return {count + 1};
  int64_t largest = 0, rows = 0, sizes = 0;
  for (const Shape& shape : shapes) {
    largest = std::max(largest, ElementCount(shape));
    rows += RowsOf(shape);
    sizes += RowsOf(shape) * ItemRank(shape);
  }
  if (kind_ == "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE") return {largest};
  if (kind_ == "BATCH_ITEM_SHAPE") return {rows, shapes.empty() ? 0 : ItemRank(shapes[0])};
  if (kind_ == "BATCH_ITEM_SHAPE_FLATTEN") return {sizes};
  throw Unsupported(Join({"no batch_input has kind \"", kind_, "\""}));
}

WB_INLINE void BatchInputRule::Fill(const std::vector<Shape>& shapes, char* target) const {
  if (kind_ == "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE") {
    std::memset(target, 0, static_cast<size_t>(ShapeFor(shapes)[0]) * sizeof(int32_t));
    return;
  }
  if (kind_ == "BATCH_ITEM_SHAPE" || kind_ == "BATCH_ITEM_SHAPE_FLATTEN") {
    for (const Shape& shape : shapes) target = PutItemShapes(shape, target);
    return;
  }
  if (kind_ == "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO") target = Put(0, target);
  int64_t before = 0;
  for (const Shape& shape : shapes) {
    target = Put(before + ElementCount(shape), target);
    if (kind_ != "BATCH_ELEMENT_COUNT") before += ElementCount(shape);
  }
}

WB_INLINE int64_t BatchInputRule::RowsOf(Shape shape) const {
  return is_batched_ && !shape.empty() ? shape[0] : 1;
}

WB_INLINE int64_t BatchInputRule::ItemRank(Shape shape) const {
  return static_cast<int64_t>(shape.size()) - (is_batched_ && !shape.empty() ? 1 : 0);
}

WB_INLINE char* BatchInputRule::Put(int64_t value, char* target) const {
  const auto integer = static_cast<int32_t>(value);
  const auto real = static_cast<float>(value);
  std::memcpy(target, type_ == TRITONSERVER_TYPE_FP32 ? static_cast<const void*>(&real) : &integer,
              sizeof(int32_t));
  return target + sizeof(int32_t);
}

WB_INLINE char* BatchInputRule::PutItemShapes(Shape shape, char* target) const {
  for (int64_t row = 0; row < RowsOf(shape); ++row) {
    for (size_t i = is_batched_ ? 1 : 0; i < shape.size(); ++i) target = Put(shape[i], target);
  }
  return target;
}

WB_INLINE BatchOutputRule::BatchOutputRule(const Json& config, const char* target) {
  source_ = RuleFor(config, "batch_output", target)["source_input"][size_t{0}].string();
  if (config["max_batch_size"].integer() > 0) dims_.push_back(-1);
  for (const Json& output : config["output"].elements()) {
    if (output["name"].string() != target) continue;
    const Json reshape = output["reshape"]["shape"];
    for (const Json& dim : (reshape.is_null() ? output["dims"] : reshape).elements()) {
      dims_.push_back(dim.integer());
    }
  }
}

WB_INLINE std::vector<int64_t> BatchOutputRule::ShapeFor(Shape input) const {
  std::vector<int64_t> shape = dims_;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) shape[i] = i < input.size() ? input[i] : 1;
  }
  return shape;
}

}  // namespace detail
}  // namespace workbench
