// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Buffer: bytes that are given back when it goes. Moves, never copies. One thread at a time.
#pragma once

#include <cstddef>
#include <utility>

#include "memory/buffer_attributes.h"
#include "memory/memory_resource.h"

namespace workbench {

class Buffer {
 public:
  // The resource outlives the buffer.
  static Result<Buffer> Allocate(MemoryResource& resource, size_t byte_size,
                                 size_t alignment = kDefaultAlignment);

  Buffer() = default;
  ~Buffer() { Release(); }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  char* data() { return static_cast<char*>(bytes_); }
  const char* data() const { return static_cast<const char*>(bytes_); }
  size_t byte_size() const { return byte_size_; }
  bool is_empty() const { return byte_size_ == 0; }
  BufferAttributes attributes() const;

  // Gives the bytes back now.
  void Release();

 private:
  Buffer(MemoryResource* resource, void* bytes, size_t byte_size, size_t alignment)
      : resource_(resource), bytes_(bytes), byte_size_(byte_size), alignment_(alignment) {}

  MemoryResource* resource_ = nullptr;  // null: there are no bytes
  void* bytes_ = nullptr;
  size_t byte_size_ = 0;
  size_t alignment_ = kDefaultAlignment;
};

}  // namespace workbench
