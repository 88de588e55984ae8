// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// "Streams": threads that do their work one after the other, each piece after a pause of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "state.h"

namespace stand_in {

inline thread_local bool is_in_host_function = false;

class Stream {
 public:
  explicit Stream(unsigned seed) : random_(seed), thread_([this] { Run(); }) {}
  // What was given to it is done first.
  ~Stream() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void Add(std::function<void()> work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    work_.push_back(std::move(work));
    ++pending_;
    changed_.notify_all();
  }
  bool is_idle() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return pending_ == 0;
  }
  void Synchronize() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return pending_ == 0; });
  }
  int device = 0;

 private:
  void Run() {
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return is_ending_ || !work_.empty(); });
        if (work_.empty()) return;
        work = std::move(work_.front());
        work_.pop_front();
      }
      Pause();
      work();
      const std::lock_guard<std::mutex> lock(mutex_);
      --pending_;
      changed_.notify_all();
    }
  }
  void Pause() {
    const unsigned longest_us = State::Get().settings().delay_us;
    if (longest_us == 0) return;
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % (longest_us + 1)));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  size_t pending_ = 0;
  bool is_ending_ = false;
  std::minstd_rand random_;
  std::thread thread_;  // the last: it uses the others
};

class Event {
 public:
  // The number of a new recording.
  uint64_t Begin() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ++begun_;
  }
  void Reach(uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reached_ = std::max(reached_, number);
    at_ = std::chrono::steady_clock::now();
    changed_.notify_all();
  }
  bool is_reached() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reached_ == begun_;
  }
  uint64_t begun() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return begun_;
  }
  void Wait(uint64_t number) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return reached_ >= number; });
  }
  std::chrono::steady_clock::time_point at() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return at_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t begun_ = 0;
  uint64_t reached_ = 0;
  std::chrono::steady_clock::time_point at_;
};

// Objects by the handles that were handed out. Any thread.
template <typename Object>
class Handles {
 public:
  void* Add(std::shared_ptr<Object> object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    void* const handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }
  // Null for a handle that is none.
  std::shared_ptr<Object> Find(void* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  std::shared_ptr<Object> Remove(void* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  std::mutex mutex_;
  std::map<void*, std::shared_ptr<Object>> objects_;
};

}  // namespace stand_in
