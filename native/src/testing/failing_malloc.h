// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces malloc and realloc, of the test and of every shared object that it opens, by ones that find no
// memory when a test says so; `operator new` stands on them. For one source file of an executable. A
// sanitizer has a malloc of its own: with one this is nothing, and has_failing_malloc false.
#pragma once

#include <cerrno>
#include <cstddef>

#include "testing/failure_plan.h"

namespace workbench {

inline FailurePlan malloc_failures;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_failing_malloc = false;
#else
constexpr bool has_failing_malloc = true;
#endif

}  // namespace workbench

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(size_t byte_size);                // NOLINT: glibc's name
void* __libc_realloc(void* bytes, size_t byte_size);  // NOLINT: glibc's name

__attribute__((visibility("default"))) void* malloc(size_t byte_size) {
  if (!workbench::malloc_failures.Fails()) return __libc_malloc(byte_size);
  errno = ENOMEM;
  return nullptr;
}

__attribute__((visibility("default"))) void* realloc(void* bytes, size_t byte_size) {
  if (!workbench::malloc_failures.Fails()) return __libc_realloc(bytes, byte_size);
  errno = ENOMEM;
  return nullptr;
}
}
#endif
