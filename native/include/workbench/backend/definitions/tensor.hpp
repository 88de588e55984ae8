// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What tensor.hpp declares, but for what needs a Request.
#pragma once

#include <cstring>

#include "workbench/backend/tensor.hpp"

namespace workbench {

WB_INLINE Input::Input(TRITONBACKEND_Input* input, detail::Scratch* scratch)
    : input_(input), scratch_(scratch) {
  const int64_t* dims = nullptr;
  uint32_t dims_count = 0;
  Check(TRITONBACKEND_InputProperties(input, &name_, &data_type_, &dims, &dims_count, &byte_size_,
                                      &buffer_count_));
  shape_ = Shape(dims, dims_count);
}

WB_INLINE Buffer Input::buffer(uint32_t index, TRITONSERVER_MemoryType wish) const {
  Buffer piece;
  piece.memory_type = wish;
  Check(TRITONBACKEND_InputBuffer(input_, index, &piece.data, &piece.byte_size, &piece.memory_type,
                                  &piece.memory_type_id));
  return piece;
}

WB_INLINE Span<const char> Input::bytes() const {
  if (buffer_count_ == 1) {
    const Buffer piece = HostBuffer(0);
    return {static_cast<const char*>(piece.data), piece.byte_size};
  }
  char* copy = static_cast<char*>(scratch_->Take(byte_size_));
  CopyTo(copy);
  return {copy, byte_size_};
}

WB_INLINE std::vector<std::string_view> Input::strings() const {
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

WB_INLINE void Input::RequireType(TRITONSERVER_DataType type) const {
  if (data_type_ == type) return;
  throw InvalidArgument(detail::Join({"input '", name_, "' is ", TRITONSERVER_DataTypeString(data_type_),
                                      ", and the backend reads it as ", TRITONSERVER_DataTypeString(type)}));
}

WB_INLINE void Input::CopyTo(void* destination) const {
  char* end = static_cast<char*>(destination);
  for (uint32_t index = 0; index < buffer_count_; ++index) {
    const Buffer piece = HostBuffer(index);
    if (piece.byte_size != 0) std::memcpy(end, piece.data, piece.byte_size);
    end += piece.byte_size;
  }
}

WB_INLINE Buffer Input::HostBuffer(uint32_t index) const {
  const Buffer piece = buffer(index);
  if (piece.memory_type != TRITONSERVER_MEMORY_GPU) return piece;
  throw Unsupported(
      detail::Join({"input '", name_, "' lies in GPU memory, and this backend reads the processor's"}));
}

WB_INLINE Error Input::Broken() const {
  return InvalidArgument(detail::Join({"input '", name_, "' is no string tensor of shape ", ToString(shape_),
                                       ": each element is a 4-byte length and as many bytes"}));
}

WB_INLINE void Output::RequireCount(size_t count, Shape shape) const {
  if (count == static_cast<size_t>(ElementCount(shape))) return;
  throw Internal(detail::Join({"output '", name_, "' of shape ", ToString(shape), " was given ",
                               detail::Decimal(static_cast<int64_t>(count)), " elements"}));
}

WB_INLINE void Output::CopyFrom(const Input& input) const {
  input.CopyTo(Allocate(input.data_type(), input.shape(), input.byte_size()));
}

}  // namespace workbench
