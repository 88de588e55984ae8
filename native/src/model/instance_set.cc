// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/instance_set.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/patience.h"

namespace workbench {
namespace {

// Whatever they are called, and whatever they need.
bool AreAlike(const ModelInstance::Options& one, const ModelInstance::Options& other) {
  return one.kind == other.kind && one.device_id == other.device_id && one.is_passive == other.is_passive &&
         one.host_policy == other.host_policy && one.profiles == other.profiles &&
         one.secondary_devices == other.secondary_devices;
}

bool IsAmong(const ModelInstance* instance, const std::vector<const ModelInstance*>& instances) {
  return std::find(instances.begin(), instances.end(), instance) != instances.end();
}

}  // namespace

// A backend that blocks a device is called by one thread for all instances on it.
bool InstanceSet::shares_threads(const ModelInstance::Options& options) const {
  return context_.backend->execution_policy() == TRITONBACKEND_EXECUTION_DEVICE_BLOCKING &&
         options.kind == TRITONSERVER_INSTANCEGROUPKIND_GPU;
}

std::vector<const ModelInstance*> InstanceSet::All() const {
  MutexLock lock(&mutex_);
  std::vector<const ModelInstance*> all;
  for (const auto& instance : instances_) all.push_back(instance.get());
  return all;
}

std::vector<ModelInstance::Options> InstanceSet::Missing(const std::vector<ModelInstance::Options>& wanted,
                                                         std::vector<const ModelInstance*>* kept,
                                                         std::vector<RateLimitSeat::NewLimit>* limits) const {
  const std::vector<const ModelInstance*> all = All();
  std::vector<bool> is_found(wanted.size(), false);
  // Namesakes first, so that an instance that is wanted by name is not taken for another.
  for (const bool by_name : {true, false}) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (is_found[i] || shares_threads(wanted[i])) continue;
      const auto found = std::find_if(all.begin(), all.end(), [&](const ModelInstance* instance) {
        return !IsAmong(instance, *kept) && AreAlike(instance->options(), wanted[i]) &&
               (!by_name || instance->options().name == wanted[i].name);
      });
      if (found == all.end()) continue;
      kept->push_back(*found);
      if (context_.gate) limits->push_back({(*found)->rate_limit_seat(), wanted[i].limit});
      is_found[i] = true;
    }
  }
  std::vector<ModelInstance::Options> missing;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!is_found[i]) missing.push_back(wanted[i]);
  }
  return missing;
}

std::vector<uint32_t> InstanceSet::FreeIndices(size_t count) const {
  const std::vector<const ModelInstance*> all = All();
  std::vector<uint32_t> indices;
  for (uint32_t index = 0; indices.size() < count; ++index) {
    const bool is_taken = std::any_of(all.begin(), all.end(), [index](const ModelInstance* instance) {
      return instance->index() == index;
    });
    if (!is_taken) indices.push_back(index);
  }
  return indices;
}

Result<InstanceSet::Instances> InstanceSet::Create(const std::vector<ModelInstance::Options>& options) const {
  if (options.empty()) return Instances();
  const std::vector<uint32_t> indices = FreeIndices(options.size());
  // Deferred: one after the other, as the answers are asked for. So is one that there is no thread for.
  const auto policy = context_.backend->loads_instances_in_parallel()
                          ? std::launch::async | std::launch::deferred
                          : std::launch::deferred;
  std::vector<std::future<Result<std::unique_ptr<ModelInstance>>>> creations;
  for (size_t i = 0; i < options.size(); ++i) {
    ModelInstance::Context context = context_;
    context.index = indices[i];
    creations.push_back(
        std::async(policy, [&options, i, context] { return ModelInstance::Create(options[i], context); }));
  }
  Instances instances;
  Status failure;
  for (auto& creation : creations) {
    if (!failure.ok() && policy == std::launch::deferred) break;
    Result<std::unique_ptr<ModelInstance>> instance = creation.get();
    if (instance.ok()) {
      instances.push_back(std::move(*instance));
    } else if (failure.ok()) {
      failure = instance.status();
    }
  }
  if (!failure.ok()) return failure;
  return instances;
}

Result<InstanceSet::Threads> InstanceSet::Start(const Instances& instances) const {
  Threads threads;
  std::vector<std::pair<int32_t, InstanceThread*>> of_devices;
  for (const auto& instance : instances) {
    if (instance->options().is_passive) continue;
    const int32_t device = instance->options().device_id;
    const auto found = std::find_if(of_devices.begin(), of_devices.end(),
                                    [device](const auto& entry) { return entry.first == device; });
    if (found != of_devices.end() && shares_threads(instance->options())) {
      found->second->Add(instance.get());
      continue;
    }
    threads.push_back(std::make_unique<InstanceThread>(context_.scheduler, context_.idle));
    threads.back()->Add(instance.get());
    if (shares_threads(instance->options())) of_devices.emplace_back(device, threads.back().get());
  }
  for (const auto& thread : threads) RETURN_IF_ERROR(thread->Start(warmup_));
  return threads;
}

Status InstanceSet::Update(const std::vector<ModelInstance::Options>& wanted) {
  std::vector<const ModelInstance*> kept;
  std::vector<RateLimitSeat::NewLimit> limits;
  const std::vector<ModelInstance::Options> missing = Missing(wanted, &kept, &limits);
  ASSIGN_OR_RETURN(Instances created, Create(missing));
  ASSIGN_OR_RETURN(Threads started, Start(created));
  const Patience patience;  // from here on there is no way back
  RETURN_IF_ERROR(RateLimitSeat::Change(limits));
  const Instances removed = Remove(kept);
  std::move(started.begin(), started.end(), std::back_inserter(threads_));
  MutexLock lock(&mutex_);
  std::move(created.begin(), created.end(), std::back_inserter(instances_));
  return OkStatus();
}

InstanceSet::Instances InstanceSet::Remove(const std::vector<const ModelInstance*>& kept) {
  const auto serves_kept = [&kept](const std::unique_ptr<InstanceThread>& thread) {
    return std::any_of(kept.begin(), kept.end(),
                       [&thread](const ModelInstance* instance) { return thread->serves(instance); });
  };
  threads_.erase(std::stable_partition(threads_.begin(), threads_.end(), serves_kept), threads_.end());
  MutexLock lock(&mutex_);
  const auto first = std::stable_partition(
      instances_.begin(), instances_.end(),
      [&kept](const std::unique_ptr<ModelInstance>& instance) { return IsAmong(instance.get(), kept); });
  Instances removed(std::make_move_iterator(first), std::make_move_iterator(instances_.end()));
  instances_.erase(first, instances_.end());
  for (const auto& instance : removed) of_former_.Add(instance->statistics());
  of_former_.memory_usage.clear();  // gone with them
  return removed;
}

void InstanceSet::Stop() {
  for (const auto& thread : threads_) thread->Join();
  (void)Remove({});
}

StatisticsSnapshot InstanceSet::statistics() const {
  MutexLock lock(&mutex_);
  StatisticsSnapshot sum = of_former_;
  for (const auto& instance : instances_) sum.Add(instance->statistics());
  return sum;
}

}  // namespace workbench
