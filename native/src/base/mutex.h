// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutex, MutexLock and CondVar with clang's thread-safety annotations, which libstdc++'s own lack.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#if defined(__clang__)
#define WB_ANNOTATION(x) __attribute__((x))
#else
#define WB_ANNOTATION(x)
#endif

#define CAPABILITY(x) WB_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY WB_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) WB_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) WB_ANNOTATION(pt_guarded_by(x))
#define REQUIRES(...) WB_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) WB_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) WB_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) WB_ANNOTATION(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS WB_ANNOTATION(no_thread_safety_analysis)

namespace workbench {

class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRE() { mutex_.lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() RELEASE() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

class CondVar {
 public:
  void Wait(Mutex* mutex) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // Waits until notified or until the steady clock reads deadline_ns. Wake-ups may be spurious.
  void WaitUntil(Mutex* mutex, uint64_t deadline_ns) REQUIRES(mutex) NO_THREAD_SAFETY_ANALYSIS {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait_until(lock, std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline_ns)));
    lock.release();
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace workbench
