// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// TensorNames: numbers for the names of tensors, which blocks of memory and events bear. Numbers are never
// given up: a block may outlive its model. Owned by the engine. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "inference/model_signature.h"

namespace workbench {

class TensorNames {
 public:
  // Gives every tensor of the signature the number of its name.
  void Number(ModelSignature* signature) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    for (TensorSpec& spec : signature->inputs) spec.number = NumberOf(spec.name);
    for (TensorSpec& spec : signature->outputs) spec.number = NumberOf(spec.name);
  }
  // By number; the first is nobody's.
  std::vector<std::string> Names() const EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    return names_;
  }

 private:
  // 0 for names beyond what a number holds.
  uint16_t NumberOf(const std::string& name) REQUIRES(mutex_) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    if (names_.size() > UINT16_MAX) return 0;
    names_.push_back(name);
    return numbers_[name] = static_cast<uint16_t>(names_.size() - 1);
  }

  mutable Mutex mutex_;
  std::vector<std::string> names_ GUARDED_BY(mutex_) = {""};
  std::unordered_map<std::string, uint16_t> numbers_ GUARDED_BY(mutex_);
};

}  // namespace workbench
