// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "shared_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "workbench/backend.hpp"

namespace workbench::python_backend {
namespace {

[[noreturn]] void ThrowErrno(const char* what) {
  const std::string reason = std::strerror(errno);
  throw Error(TRITONSERVER_ERROR_UNAVAILABLE, std::string("shared memory: ") + what + ": " + reason);
}

}  // namespace

SharedMemory::~SharedMemory() { Close(); }

void SharedMemory::Create(size_t byte_size) {
  Close();
  descriptor_ = memfd_create("workbench-python", MFD_CLOEXEC);
  if (descriptor_ < 0) ThrowErrno("memfd_create");
  Require(byte_size, true);
}

void SharedMemory::Adopt(int descriptor) {
  Close();
  descriptor_ = descriptor;
}

void SharedMemory::Require(size_t byte_size, bool grows) {
  if (byte_size <= byte_size_) return;
  const size_t wanted = grows ? std::max(byte_size, 2 * byte_size_) : byte_size;
  if (grows && ftruncate(descriptor_, static_cast<off_t>(wanted)) != 0) ThrowErrno("ftruncate");
  Unmap();
  void* const mapped = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) ThrowErrno("mmap");
  data_ = static_cast<char*>(mapped);
  byte_size_ = wanted;
}

void SharedMemory::Unmap() {
  if (data_ != nullptr) munmap(data_, byte_size_);
  data_ = nullptr;
  byte_size_ = 0;
}

void SharedMemory::Close() {
  Unmap();
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

}  // namespace workbench::python_backend
