// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer.h"

namespace workbench {

Result<Buffer> Buffer::Allocate(MemoryResource& resource, size_t byte_size, size_t alignment) {
  ASSIGN_OR_RETURN(void* bytes, resource.Allocate(byte_size, alignment));
  return Buffer(&resource, bytes, byte_size, alignment);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this == &other) return *this;
  Release();
  resource_ = std::exchange(other.resource_, nullptr);
  bytes_ = std::exchange(other.bytes_, nullptr);
  byte_size_ = std::exchange(other.byte_size_, 0);
  alignment_ = other.alignment_;
  return *this;
}

void Buffer::Release() {
  if (resource_ != nullptr) resource_->Deallocate(bytes_, byte_size_, alignment_);
  resource_ = nullptr;
  bytes_ = nullptr;
  byte_size_ = 0;
}

BufferAttributes Buffer::attributes() const {
  return {resource_ == nullptr ? MemoryPlace{} : resource_->place(), byte_size_};
}

}  // namespace workbench
