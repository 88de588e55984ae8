// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/rate_limiter.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace workbench {

// A resource that is named twice counts as the last says.
RateLimiter::Needs RateLimiter::NeedsOf(const RateLimit& limit, int32_t device) {
  Needs needs;
  for (const RateLimit::Resource& resource : limit.resources) {
    needs[{resource.name, resource.is_global ? kGlobal : device}] = resource.count;
  }
  return needs;
}

uint32_t RateLimiter::Available(const ResourceKey& key) const {
  uint32_t count = 0;
  if (limits_.empty()) {
    for (const Instance& instance : instances_) {
      const auto need = instance.needs.find(key);
      if (instance.is_there && need != instance.needs.end()) count = std::max(count, need->second);
    }
    return count;
  }
  // What is said of one device takes the place of what is said of all.
  bool is_special = false;
  for (const ResourceLimit& limit : limits_) {
    const bool is_own = limit.device == key.second;
    if (limit.name != key.first || (!is_own && limit.device != ResourceLimit::kEveryDevice)) continue;
    if (is_special && !is_own) continue;
    is_special = is_special || is_own;
    count = limit.count;
  }
  return count;
}

Status RateLimiter::Check(Slot slot) const {
  for (const auto& [key, count] : instances_[slot].needs) {
    const uint32_t available = Available(key);
    if (count > available) {
      return InvalidArgumentError("the instance needs " + std::to_string(count) + " of resource '" +
                                  key.first + "', but the server has " + std::to_string(available) +
                                  ": it could never execute");
    }
    for (const Instance& instance : instances_) {
      if (!instance.is_there) continue;
      for (const auto& [other, other_count] : instance.needs) {
        if (other.first != key.first || (other.second == kGlobal) == (key.second == kGlobal)) continue;
        return InvalidArgumentError("resource '" + key.first +
                                    "' is global to one instance and of a device to another: let all agree");
      }
    }
  }
  return OkStatus();
}

Result<RateLimiter::Slot> RateLimiter::Add(const RateLimit& limit, int32_t device) {
  const auto free =
      std::find_if(instances_.begin(), instances_.end(), [](const Instance& i) { return !i.is_there; });
  const auto slot = static_cast<Slot>(free - instances_.begin());
  if (slot == instances_.size()) instances_.emplace_back();
  instances_[slot] = Instance();
  instances_[slot].is_there = true;
  instances_[slot].device = device;
  instances_[slot].priority = std::max(1u, limit.priority);
  instances_[slot].needs = NeedsOf(limit, device);
  Status status = Check(slot);
  if (status.ok()) return slot;
  Remove(slot);
  return status;
}

void RateLimiter::Remove(Slot slot) { instances_[slot].is_there = false; }

Status RateLimiter::Change(const std::vector<NewLimit>& limits) {
  std::vector<Needs> before;
  for (const NewLimit& change : limits) {
    Instance& instance = instances_[change.slot];
    before.push_back(std::exchange(instance.needs, NeedsOf(change.limit, instance.device)));
  }
  Status status;
  for (size_t i = 0; i < limits.size() && status.ok(); ++i) status = Check(limits[i].slot);
  for (size_t i = 0; i < limits.size(); ++i) {
    Instance& instance = instances_[limits[i].slot];
    if (!status.ok()) instance.needs = std::move(before[i]);
    if (status.ok()) instance.priority = std::max(1u, limits[i].limit.priority);
  }
  return status;
}

void RateLimiter::Ask(Slot slot) { instances_[slot].asked = ++asks_; }

void RateLimiter::Withdraw(Slot slot) { instances_[slot].asked = 0; }

void RateLimiter::Finish(Slot slot) {
  for (const auto& [key, count] : instances_[slot].held) used_[key] -= count;
  instances_[slot].held.clear();
}

void RateLimiter::Forgo(Slot slot) {
  Finish(slot);
  --instances_[slot].executions;
}

std::vector<RateLimiter::Slot> RateLimiter::Waiting() const {
  std::vector<Slot> waiting;
  for (Slot slot = 0; slot < instances_.size(); ++slot) {
    if (instances_[slot].asked != 0) waiting.push_back(slot);
  }
  auto rank = [this](Slot slot) {
    const Instance& instance = instances_[slot];
    return std::tuple(instance.executions * instance.priority, instance.asked);
  };
  std::sort(waiting.begin(), waiting.end(), [&](Slot one, Slot other) { return rank(one) < rank(other); });
  return waiting;
}

std::vector<RateLimiter::Slot> RateLimiter::Take() {
  std::vector<Slot> taken;
  std::set<ResourceKey> reserved;
  for (const Slot slot : Waiting()) {
    Instance& instance = instances_[slot];
    const bool fits = std::all_of(instance.needs.begin(), instance.needs.end(), [&](const auto& need) {
      return reserved.count(need.first) == 0 && used_[need.first] + need.second <= Available(need.first);
    });
    if (!fits) {
      for (const auto& [key, count] : instance.needs) reserved.insert(key);
      continue;
    }
    for (const auto& [key, count] : instance.needs) used_[key] += count;
    instance.held = instance.needs;
    instance.asked = 0;
    ++instance.executions;
    taken.push_back(slot);
  }
  return taken;
}

}  // namespace workbench
