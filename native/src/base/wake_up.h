// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// When a thread runs again that sleeps: for threads that wake often, where others compute all the time.
#pragma once

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace workbench {

// Of sched_setattr(2), which glibc declares from 2.41 on; the kernel's own header does not go with <sched.h>.
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;  // the time slice, under SCHED_OTHER
  uint64_t deadline_ns;
  uint64_t period_ns;

  // Of the calling thread; false where the kernel does not tell or take them.
  bool Get() noexcept { return syscall(SYS_sched_getattr, 0, this, sizeof *this, 0) == 0; }
  bool Set() noexcept { return syscall(SYS_sched_setattr, 0, this, 0) == 0; }
};

// From now on the calling thread runs as soon as it may. Its timed waits end at their time, where the kernel
// else adds up to 50 us to wake several at once; and it has slices of 0.1 ms, the shortest there are, so that
// once awake it runs at once while it has had less than its share, and not when the slice of the thread that
// computes there is over (3 ms on two cores). Its share stays what it is. Slices are heeded by Linux 6.12 and
// newer, under the usual policy alone.
inline void WakePromptly() noexcept {
  prctl(PR_SET_TIMERSLACK, 1UL);
  SchedulingAttributes attributes{};
  if (!attributes.Get() || attributes.policy != SCHED_OTHER) return;
  attributes.runtime_ns = 100'000;
  attributes.Set();
}

}  // namespace workbench
