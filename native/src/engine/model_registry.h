// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ModelRegistry: which model a name and version mean now. Owned by the engine; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "model/model.h"

namespace workbench {

class ModelRegistry {
 public:
  // The name and version mean this model from now on. Returns the one that they meant before, or null.
  Model::Ref Publish(Model* model);
  // The name and version of the model mean nothing any more, if they meant it. Returns the registry's
  // reference. keeps_sequences: the model is found for as long as sequences are open on it.
  Model::Ref Withdraw(Model* model, bool keeps_sequences = false);
  // A model that is replaced or withdrawn, on which sequences go on; null: none. `request`: it goes on one of
  // them.
  Model::Ref FindLingering(std::string_view name, int64_t version, const InferenceRequest* request = nullptr);
  // Whether there may be one: what the way of every request looks at.
  bool has_lingering() const { return has_lingering_.load(std::memory_order_relaxed); }
  // version -1: the highest that is served. UNAVAILABLE: a version that is known, and not served now;
  // NOT_FOUND: anything else that is not served.
  Result<Model::Ref> Find(std::string_view name, int64_t version);
  std::vector<Model::Ref> All();

  // The number that stands for (name, version) in events; the same again for the same pair.
  uint16_t NumberOf(const std::string& name, int64_t version);
  // By number; number 0 stands for no model.
  std::vector<std::pair<std::string, int64_t>> Names();

 private:
  using Versions = std::map<int64_t, Model::Ref>;

  void Linger(Model* model) REQUIRES(mutex_);
  void ForgetLingering() REQUIRES(mutex_);
  Status IsMissing(const std::string& name, int64_t version) const REQUIRES(mutex_);

  std::atomic<bool> has_lingering_{false};
  Mutex mutex_;
  std::vector<Model::Ref> lingering_ GUARDED_BY(mutex_);
  std::map<std::string, Versions, std::less<>> models_ GUARDED_BY(mutex_);
  std::vector<std::pair<std::string, int64_t>> names_ GUARDED_BY(mutex_) = {{"", 0}};
};

}  // namespace workbench
