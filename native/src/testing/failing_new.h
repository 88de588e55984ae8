// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces operator new, of the test and of every shared object that it opens, by one that fails when a test
// says so. For one source file of an executable.
#pragma once

#include <execinfo.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace workbench::testing_new {

// The allocations first .. first + width - 1 after Arm fail, on whichever thread.
inline std::atomic<bool> is_armed{false};
inline std::atomic<int64_t> first{0}, width{0}, count{0};
inline std::atomic<int64_t> live{0};  // allocations that were not given back
inline thread_local int exempt = 0;

inline void Arm(int64_t from, int64_t so_many) {
  first = from;
  width = so_many;
  count = 0;
  is_armed = true;
}

// Whether any allocation failed since Arm.
inline bool Disarm() {
  is_armed = false;
  return count > first;
}

// For what a test itself allocates.
struct Exempt {
  Exempt() { ++exempt; }
  ~Exempt() { --exempt; }
};

inline bool Fails() {
  if (!is_armed.load(std::memory_order_relaxed) || exempt > 0) return false;
  const int64_t number = count.fetch_add(1);
  if (number < first || number >= first + width) return false;
  if (number == first && std::getenv("WB_SHOW_FAILURES") != nullptr) {
    void* frames[32];
    backtrace_symbols_fd(frames, backtrace(frames, 32), 2);
  }
  return true;
}

inline void* Allocate(std::size_t size, std::size_t alignment) {
  if (Fails()) return nullptr;
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
