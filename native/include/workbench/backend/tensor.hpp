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
  Input(TRITONBACKEND_Input* input, detail::Scratch* scratch) : input_(input), scratch_(scratch) {
    const int64_t* dims = nullptr;
    uint32_t dims_count = 0;
    Check(TRITONBACKEND_InputProperties(input, &name_, &data_type_, &dims, &dims_count, &byte_size_,
                                        &buffer_count_));
    shape_ = Shape(dims, dims_count);
  }

  const char* name() const { return name_; }
  TRITONSERVER_DataType data_type() const { return data_type_; }
  // With the batch dimension, where the model has one.
  Shape shape() const { return shape_; }
  int64_t element_count() const { return ElementCount(shape_); }
  uint64_t byte_size() const { return byte_size_; }

  // The caller's pieces as they are, in any memory. The wish says where a copy, if one is needed, should go.
  uint32_t buffer_count() const { return buffer_count_; }
  Buffer buffer(uint32_t index, TRITONSERVER_MemoryType wish = TRITONSERVER_MEMORY_CPU) const {
    Buffer piece;
    piece.memory_type = wish;
    Check(TRITONBACKEND_InputBuffer(input_, index, &piece.data, &piece.byte_size, &piece.memory_type,
                                    &piece.memory_type_id));
    return piece;
  }

  // All bytes, consecutive and in the processor's memory: borrowed where they lie so, else copied once.
  Span<const char> bytes() const {
    if (buffer_count_ == 1) {
      const Buffer piece = HostBuffer(0);
      return {static_cast<const char*>(piece.data), piece.byte_size};
    }
    char* copy = static_cast<char*>(scratch_->Take(byte_size_));
    CopyTo(copy);
    return {copy, byte_size_};
  }

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
  std::vector<std::string_view> strings() const {
    RequireType(TRITONSERVER_TYPE_BYTES);
    std::vector<std::string_view> values;
    values.reserve(static_cast<size_t>(element_count()));
    const Span<const char> raw = bytes();
    for (size_t at = 0; at < raw.size();) {
      uint32_t length = 0;
      if (raw.size() - at < sizeof(length)) throw Broken();
      std::memcpy(&length, raw.data() + at, sizeof(length));
      at += sizeof(length);
      if (raw.size() - at < length) throw Broken();
      values.emplace_back(raw.data() + at, length);
      at += length;
    }
    if (values.size() != static_cast<size_t>(element_count())) throw Broken();
    return values;
  }

  // Throws INVALID_ARG unless the tensor is of this type.
  void RequireType(TRITONSERVER_DataType type) const {
    if (data_type_ == type) return;
    throw InvalidArgument(
        detail::Join({"input '", name_, "' is ", TRITONSERVER_DataTypeString(data_type_),
                      ", and the backend reads it as ", TRITONSERVER_DataTypeString(type)}));
  }

  // Copies byte_size() bytes into the processor's memory at destination.
  void CopyTo(void* destination) const {
    char* end = static_cast<char*>(destination);
    for (uint32_t index = 0; index < buffer_count_; ++index) {
      const Buffer piece = HostBuffer(index);
      if (piece.byte_size != 0) std::memcpy(end, piece.data, piece.byte_size);
      end += piece.byte_size;
    }
  }

 private:
  Buffer HostBuffer(uint32_t index) const {
    const Buffer piece = buffer(index);
    if (piece.memory_type != TRITONSERVER_MEMORY_GPU) return piece;
    throw Unsupported(
        detail::Join({"input '", name_, "' lies in GPU memory, and this backend reads the processor's"}));
  }
  Error Broken() const {
    return InvalidArgument(
        detail::Join({"input '", name_, "' is no string tensor of shape ", ToString(shape_),
                      ": each element is a 4-byte length and as many bytes"}));
  }

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
  void CopyFrom(const Input& input) const {
    input.CopyTo(Allocate(input.data_type(), input.shape(), input.byte_size()));
  }

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
  void RequireCount(size_t count, Shape shape) const {
    if (count == static_cast<size_t>(ElementCount(shape))) return;
    throw Internal(detail::Join({"output '", name_, "' of shape ", ToString(shape), " was given ",
                                 detail::Decimal(static_cast<int64_t>(count)), " elements"}));
  }

  Request* request_;
  const char* name_;
};

}  // namespace workbench
