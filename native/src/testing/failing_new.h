// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces operator new, of the test and of every shared object that it opens, by one that fails when a test
// says so. For one source file of an executable.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "testing/failure_plan.h"

namespace workbench {

inline FailurePlan new_failures;

}  // namespace workbench

namespace workbench::testing_new {

inline std::atomic<int64_t> live{0};  // allocations that were not given back

inline void* Allocate(std::size_t size, std::size_t alignment) {
  if (new_failures.Fails()) return nullptr;
  if (alignment == 0) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

// As the library's own: the handler makes room, or throws.
inline void* AllocateOrThrow(std::size_t size, std::size_t alignment = 0) {
  for (;;) {
    if (void* const memory = Allocate(size, alignment)) {
      live.fetch_add(1, std::memory_order_relaxed);
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

inline void* AllocateOrNull(std::size_t size) noexcept {
  try {
    return AllocateOrThrow(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

inline void Free(void* memory) noexcept {
  if (memory != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace workbench::testing_new

void* operator new(std::size_t size) { return workbench::testing_new::AllocateOrThrow(size); }
void* operator new[](std::size_t size) { return workbench::testing_new::AllocateOrThrow(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return workbench::testing_new::AllocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return workbench::testing_new::AllocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return workbench::testing_new::AllocateOrNull(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return workbench::testing_new::AllocateOrNull(size);
}
void operator delete(void* memory) noexcept { workbench::testing_new::Free(memory); }
void operator delete[](void* memory) noexcept { workbench::testing_new::Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { workbench::testing_new::Free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { workbench::testing_new::Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { workbench::testing_new::Free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { workbench::testing_new::Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  workbench::testing_new::Free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  workbench::testing_new::Free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { workbench::testing_new::Free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { workbench::testing_new::Free(memory); }

// Its operators allocate by malloc, which the address sanitizer takes for another pair than new and delete.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "alloc_dealloc_mismatch=0";
}
