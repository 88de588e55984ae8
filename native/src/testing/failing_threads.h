// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces pthread_create, of the test and of every shared object that it opens, by one that finds no room
// for a thread when a test says so. For one source file of an executable.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>

#include "testing/failure_plan.h"

namespace workbench {

inline FailurePlan thread_failures;

}  // namespace workbench

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*body)(void*), void* argument) {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (workbench::thread_failures.Fails()) return EAGAIN;
  return create(thread, attributes, body, argument);
}
