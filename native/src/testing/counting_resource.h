// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CountingResource: system memory that counts what is live, checks what comes back, and can be told to be
// exhausted.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "memory/system_resource.h"

namespace workbench {

class CountingResource final : public MemoryResource {
 public:
  explicit CountingResource(MemoryPlace place = {}) : place_(place) {}
  ~CountingResource() override {
    for (const auto& [bytes, given] : live_) system_.Deallocate(bytes, given.first, given.second);
  }

  Result<void*> Allocate(size_t byte_size, size_t alignment = kDefaultAlignment) override {
    if (is_exhausted_) return UnavailableError("exhausted, as the test wants it");
    ASSIGN_OR_RETURN(void* bytes, system_.Allocate(byte_size, alignment));
    std::lock_guard<std::mutex> lock(mutex_);
    live_[bytes] = {byte_size, alignment};
    ++allocations_;
    return bytes;
  }
  void Deallocate(void* bytes, size_t byte_size, size_t alignment = kDefaultAlignment) override {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto given = live_.find(bytes);
    if (given == live_.end() || given->second != std::pair(byte_size, alignment)) {
      ++mistakes_;
      return;
    }
    system_.Deallocate(bytes, byte_size, alignment);
    live_.erase(given);
  }
  MemoryPlace place() const override { return place_; }

  void SetExhausted(bool is_exhausted) { is_exhausted_ = is_exhausted; }
  size_t live_count() const {
    return Locked([this] { return live_.size(); });
  }
  size_t allocations() const {
    return Locked([this] { return allocations_; });
  }
  // Deallocations of what was not live, or was allocated with other arguments.
  size_t mistakes() const {
    return Locked([this] { return mistakes_; });
  }
  size_t live_byte_size() const {
    return Locked([this] {
      size_t sum = 0;
      for (const auto& [bytes, given] : live_) sum += given.first;
      return sum;
    });
  }

 private:
  template <typename Read>
  size_t Locked(Read read) const {
    std::lock_guard<std::mutex> lock(mutex_);
    return read();
  }

  const MemoryPlace place_;
  SystemResource system_;
  std::atomic<bool> is_exhausted_{false};
  mutable std::mutex mutex_;
  std::map<void*, std::pair<size_t, size_t>> live_;  // byte size and alignment
  size_t allocations_ = 0;
  size_t mistakes_ = 0;
};

}  // namespace workbench
