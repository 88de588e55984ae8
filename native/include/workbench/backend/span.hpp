// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Span: a view of consecutive elements that somebody else owns, and the data type that each element type
// stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "triton/core/tritonserver.h"
#include "workbench/backend/error.hpp"

namespace workbench {

template <typename T>
class Span {
 public:
  using value_type = std::remove_const_t<T>;

  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  // NOLINTBEGIN(google-explicit-constructor): arguments become spans by themselves.
  // From anything that has data() and size(): a vector, an array, another span.
  template <typename Container, typename = std::enable_if_t<
                                    std::is_convertible_v<decltype(std::declval<Container&>().data()), T*>>>
  constexpr Span(Container&& container) : data_(container.data()), size_(container.size()) {}
  // For arguments such as {1, 16}: the list lives until the call returns.
  template <typename U = T, typename = std::enable_if_t<std::is_const_v<U>>>
  constexpr Span(std::initializer_list<value_type> list) {
    data_ = list.begin();
    size_ = list.size();
  }
  // NOLINTEND(google-explicit-constructor)

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](size_t index) const { return data_[index]; }
  constexpr Span subspan(size_t offset, size_t count) const { return Span(data_ + offset, count); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

using Shape = Span<const int64_t>;

// Elements of a tensor of this shape.
inline int64_t ElementCount(Shape shape) {
  int64_t count = 1;
  for (int64_t dim : shape) count *= dim;
  return count;
}

// [2, 16]
std::string ToString(Shape shape);

// Sixteen-bit floats as they lie in memory: C++17 has no arithmetic for them.
struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

// The data type of tensors whose elements are T.
template <typename T>
struct DataTypeOf {
  static_assert(sizeof(T) == 0,
                "no tensor has elements of this type: they are bool, intN_t, uintN_t, Float16, "
                "BFloat16, float, double, or texts");
  static constexpr TRITONSERVER_DataType value = TRITONSERVER_TYPE_INVALID;
};
template <TRITONSERVER_DataType type>
struct DataTypeIs {
  static constexpr TRITONSERVER_DataType value = type;
};
// clang-format off
template <> struct DataTypeOf<bool> : DataTypeIs<TRITONSERVER_TYPE_BOOL> {};
template <> struct DataTypeOf<uint8_t> : DataTypeIs<TRITONSERVER_TYPE_UINT8> {};
template <> struct DataTypeOf<uint16_t> : DataTypeIs<TRITONSERVER_TYPE_UINT16> {};
template <> struct DataTypeOf<uint32_t> : DataTypeIs<TRITONSERVER_TYPE_UINT32> {};
template <> struct DataTypeOf<uint64_t> : DataTypeIs<TRITONSERVER_TYPE_UINT64> {};
template <> struct DataTypeOf<int8_t> : DataTypeIs<TRITONSERVER_TYPE_INT8> {};
template <> struct DataTypeOf<int16_t> : DataTypeIs<TRITONSERVER_TYPE_INT16> {};
template <> struct DataTypeOf<int32_t> : DataTypeIs<TRITONSERVER_TYPE_INT32> {};
template <> struct DataTypeOf<int64_t> : DataTypeIs<TRITONSERVER_TYPE_INT64> {};
template <> struct DataTypeOf<Float16> : DataTypeIs<TRITONSERVER_TYPE_FP16> {};
template <> struct DataTypeOf<BFloat16> : DataTypeIs<TRITONSERVER_TYPE_BF16> {};
template <> struct DataTypeOf<float> : DataTypeIs<TRITONSERVER_TYPE_FP32> {};
template <> struct DataTypeOf<double> : DataTypeIs<TRITONSERVER_TYPE_FP64> {};
// clang-format on

}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/span.hpp"
#endif
