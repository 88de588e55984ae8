// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Input and Output: the tensors of one request. Handles, cheap to copy, valid while the backend executes.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "triton/core/tritonbackend.h"
#include "workbench/backend/error.hpp"
#include "workbench/backend/scratch.hpp"
#include "workbench/backend/span.hpp"

namespace workbench {

// A piece of a tensor and where it lies.
struct Buffer {
  const void* data = nullptr;
  uint64_t byte_size = 0;
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
};

class Input {
 public:
  Input(TRITONBACKEND_Input* input, detail::Scratch* scratch);

  const char* name() const { return name_; }
  TRITONSERVER_DataType data_type() const { return data_type_; }
  // With the batch dimension, where the model has one.
  Shape shape() const { return shape_; }
  int64_t element_count() const { return ElementCount(shape_); }
  uint64_t byte_size() const { return byte_size_; }

  // The caller's pieces as they are, in any memory. The wish says where a copy, if one is needed, should go.
  uint32_t buffer_count() const { return buffer_count_; }
  Buffer buffer(uint32_t index, TRITONSERVER_MemoryType wish = TRITONSERVER_MEMORY_CPU) const;

  // All bytes, consecutive and in the processor's memory: borrowed where they lie so, else copied once.
  Span<const char> bytes() const;

  // The elements. Throws INVALID_ARG unless the tensor's type is T's.
  template <typename T>
  Span<const T> as() const {
    RequireType(DataTypeOf<T>::value);
    const Span<const char> raw = bytes();
    if (reinterpret_cast<uintptr_t>(raw.data()) % alignof(T) == 0) {
      return {reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T)};
    }
    void* aligned = scratch_->Take(raw.size());
    std::memcpy(aligned, raw.data(), raw.size());
    return {static_cast<const T*>(aligned), raw.size() / sizeof(T)};
  }

  // The elements of a string tensor: views into the caller's memory.
  std::vector<std::string_view> strings() const;

  // Throws INVALID_ARG unless the tensor is of this type.
  void RequireType(TRITONSERVER_DataType type) const;

  // Copies byte_size() bytes into the processor's memory at destination.
  void CopyTo(void* destination) const;

 private:
  Buffer HostBuffer(uint32_t index) const;
  Error Broken() const;

  TRITONBACKEND_Input* input_;
  detail::Scratch* scratch_;
  const char* name_ = nullptr;
  TRITONSERVER_DataType data_type_ = TRITONSERVER_TYPE_INVALID;
  Shape shape_;
  uint64_t byte_size_ = 0;
  uint32_t buffer_count_ = 0;
};

class Request;

// An output of one request's response. Written once; an output that the caller did not ask for may be written
// too, and goes nowhere.
class Output {
 public:
  Output(Request* request, const char* name) : request_(request), name_(name) {}

  // Memory for byte_size bytes of the response, in the caller's own where it allows; the processor's unless
  // wished otherwise, and then `memory_type` says which it became.
  void* Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size) const;
  void* Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size,
                 TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) const;

  // Elements for the backend to fill.
  template <typename T>
  Span<T> Allocate(Shape shape) const {
    const auto count = static_cast<size_t>(ElementCount(shape));
    return {static_cast<T*>(Allocate(DataTypeOf<T>::value, shape, count * sizeof(T))), count};
  }

  // Copies values: numbers from a span, a vector or an array; texts from a vector of std::string,
  // std::string_view or const char*.
  template <typename Container>
  void Write(const Container& values, Shape shape) const {
    using T = std::decay_t<decltype(*values.begin())>;
    RequireCount(values.size(), shape);
    if constexpr (std::is_constructible_v<std::string_view, T>) {
      WriteStrings(values, shape);
    } else {
      const Span<T> elements = Allocate<T>(shape);
      if (values.size() != 0) std::memcpy(elements.data(), values.data(), values.size() * sizeof(T));
    }
  }

  // The input's type, shape and bytes.
  void CopyFrom(const Input& input) const;

 private:
  template <typename Container>
  void WriteStrings(const Container& values, Shape shape) const {
    size_t byte_size = 0;
    for (const auto& value : values) byte_size += sizeof(uint32_t) + std::string_view(value).size();
    char* at = static_cast<char*>(Allocate(TRITONSERVER_TYPE_BYTES, shape, byte_size));
    for (const auto& value : values) {
      const std::string_view text(value);
      const auto length = static_cast<uint32_t>(text.size());
      std::memcpy(at, &length, sizeof(length));
      std::memcpy(at + sizeof(length), text.data(), length);
      at += sizeof(length) + length;
    }
  }
  void RequireCount(size_t count, Shape shape) const;

  Request* request_;
  const char* name_;
};

}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/tensor.hpp"
#endif
