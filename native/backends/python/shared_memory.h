// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedMemory: bytes that this process and a child both see. Has no name; the child is handed its
// descriptor. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace workbench::python_backend {

class SharedMemory {
 public:
  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // New memory; what was mapped before stays with whoever else maps it. Throws UNAVAILABLE where there is
  // none.
  void Create(size_t byte_size);
  // The memory behind a descriptor, which is taken.
  void Adopt(int descriptor);
  // Maps at least so many bytes: the other side's growth, or with `grows` this side's own.
  void Require(size_t byte_size, bool grows);

  char* data() const { return data_; }
  size_t byte_size() const { return byte_size_; }
  int descriptor() const { return descriptor_; }

 private:
  void Close();
  void Unmap();

  int descriptor_ = -1;
  char* data_ = nullptr;
  size_t byte_size_ = 0;
};

}  // namespace workbench::python_backend
