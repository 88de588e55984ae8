// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the stand-in was told to be, which calls it must fail, and what was done wrong to it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace stand_in {

struct Settings {
  int devices = 1;
  size_t device_byte_size = size_t{64} << 20;
  size_t pinned_byte_size = size_t{64} << 20;
  unsigned delay_us = 200;
};

inline long long FromEnvironment(const char* name, long long fallback) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::atoll(text) : fallback;
}

class State {
 public:
  // Never destroyed: streams may outlive main.
  static State& Get() {
    static State* const state = new State();
    return *state;
  }

  void Read() {
    const std::lock_guard<std::mutex> lock(mutex_);
    settings_.devices = static_cast<int>(FromEnvironment("WB_STAND_IN_CUDA_DEVICES", 1));
    settings_.device_byte_size = static_cast<size_t>(FromEnvironment("WB_STAND_IN_CUDA_MEMORY", 64 << 20));
    settings_.pinned_byte_size = static_cast<size_t>(FromEnvironment("WB_STAND_IN_CUDA_PINNED", 64 << 20));
    settings_.delay_us = static_cast<unsigned>(FromEnvironment("WB_STAND_IN_CUDA_DELAY_US", 200));
    calls_.clear();
    faults_.clear();
    const char* const faults = std::getenv("WB_STAND_IN_CUDA_FAIL");
    ReadFaults(faults != nullptr ? faults : "");
    violations.store(0);
  }

  Settings settings() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return settings_;
  }

  // Counts a call; what it must answer instead of working, or 0.
  int Enter(const char* symbol) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const long call = ++calls_[symbol];
    const auto [first, last] = faults_.equal_range(symbol);
    for (auto fault = first; fault != last; ++fault) {
      if (fault->second.first == 0 || fault->second.first == call) return fault->second.second;
    }
    return 0;
  }

  long Calls(const char* symbol) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = calls_.find(symbol);
    return found == calls_.end() ? 0 : found->second;
  }

  std::atomic<long> violations{0};

 private:
  // "symbol:nth:code,symbol:nth:code"
  void ReadFaults(const std::string& text) {
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find(',', start), text.size());
      const std::string fault = text.substr(start, end - start);
      const size_t first = fault.find(':');
      const size_t second = fault.find(':', first + 1);
      if (second != std::string::npos) {
        faults_.insert({fault.substr(0, first),
                        {std::atol(fault.c_str() + first + 1), std::atoi(fault.c_str() + second + 1)}});
      }
      start = end + 1;
    }
  }

  std::mutex mutex_;
  Settings settings_;
  std::map<std::string, long> calls_;
  std::multimap<std::string, std::pair<long, int>> faults_;  // nth call and code
};

}  // namespace stand_in
