// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/system_resource.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/patience.h"
#include "memory/alignment.h"

namespace workbench {
namespace {

constexpr size_t kAddressSpace = size_t{1} << 40;  // more than any machine has; sanitizers abort beyond it

}  // namespace

Result<void*> SystemResource::Allocate(size_t byte_size, size_t alignment) {
  RETURN_IF_ERROR(CheckAlignment(alignment));
  void* bytes = nullptr;
  if (byte_size <= kAddressSpace) {
    bytes = ::operator new(std::max<size_t>(byte_size, 1), std::align_val_t(alignment), std::nothrow);
  }
  if (bytes != nullptr) return bytes;
  const Patience patience;  // for the words
  return UnavailableError("the machine has no " + std::to_string(byte_size) + " bytes of memory to give");
}

void SystemResource::Deallocate(void* bytes, size_t byte_size, size_t alignment) {
  ::operator delete(bytes, std::align_val_t(alignment));
}

}  // namespace workbench
