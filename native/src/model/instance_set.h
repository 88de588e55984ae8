// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InstanceSet: the instances of a model and their threads. Which instances there are can change while
// requests are served. Owned by the model.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "model/instance_thread.h"
#include "model/model_instance.h"

namespace workbench {

class InstanceSet {
 public:
  // What instances are made with; their index is the set's to give. All of it outlives the set.
  InstanceSet(const ModelInstance::Context& context, std::vector<WarmupSample> warmup)
      : context_(context), warmup_(std::move(warmup)) {}
  ~InstanceSet() { Stop(); }

  // --- control; one thread at a time
  // Makes the instances those that are wanted: new ones are warm before old ones go, what serves goes on. On
  // failure everything is as it was.
  Status Update(const std::vector<ModelInstance::Options>& wanted);
  // REQUIRES: IdleInstances stopped. Ends the threads and finalises the instances.
  void Stop();

  // --- any thread
  // Of all instances that there are or were.
  StatisticsSnapshot statistics() const EXCLUDES(mutex_);

 private:
  using Instances = std::vector<std::unique_ptr<ModelInstance>>;
  using Threads = std::vector<std::unique_ptr<InstanceThread>>;

  std::vector<const ModelInstance*> All() const;
  bool shares_threads(const ModelInstance::Options& options) const;
  // Those of the wanted ones that no instance stands for; `kept` says which instances stay, `limits` what
  // they are to need.
  std::vector<ModelInstance::Options> Missing(const std::vector<ModelInstance::Options>& wanted,
                                              std::vector<const ModelInstance*>* kept,
                                              std::vector<RateLimitSeat::NewLimit>* limits) const;
  Result<Instances> Create(const std::vector<ModelInstance::Options>& options) const;
  std::vector<uint32_t> FreeIndices(size_t count) const;
  Result<Threads> Start(const Instances& instances) const;
  // All but those kept; their threads have ended.
  Instances Remove(const std::vector<const ModelInstance*>& kept);

  const ModelInstance::Context context_;
  const std::vector<WarmupSample> warmup_;
  Threads threads_;  // of the control thread

  mutable Mutex mutex_;
  Instances instances_ GUARDED_BY(mutex_);
  StatisticsSnapshot of_former_ GUARDED_BY(mutex_);
};

}  // namespace workbench
