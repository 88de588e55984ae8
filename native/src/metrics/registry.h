// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Registry: every family of metrics by name. Owned by the engine; any thread may call it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "metrics/family.h"

namespace workbench {

class Registry {
 public:
  // The family of this name, made where there is none; it lives as long as the registry. ALREADY_EXISTS where
  // the name stands for another kind of metric, INVALID_ARG where it is no name for one.
  template <typename Metric>
  Result<Family<Metric>*> Add(const std::string& name, const std::string& help) EXCLUDES(mutex_) {
    RETURN_IF_ERROR(CheckName(name));
    MutexLock lock(&mutex_);
    auto& family = families_[name];
    if (family == nullptr) family = std::make_unique<Family<Metric>>(name, help);
    if (family->kind() != Metric::kKind) return OtherKind(name, family->kind());
    return static_cast<Family<Metric>*>(family.get());
  }

  // All families that have a metric, by name.
  std::vector<FamilySnapshot> Read() const EXCLUDES(mutex_);

 private:
  static Status CheckName(const std::string& name);
  static Status OtherKind(const std::string& name, MetricKind kind);

  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<AnyFamily>> families_ GUARDED_BY(mutex_);
};

}  // namespace workbench
