// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RateLimiter: which instances may execute now, where they share resources of which there is not enough for
// all. Pure: no thread, lock or clock; one caller at a time.
//
// Who waits goes by executions so far times priority, the lowest first, then by who asked first. One that
// does not fit keeps those behind it from the resources that it waits for, so it is not passed over for ever.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace workbench {

// What one instance needs while it executes.
struct RateLimit {
  struct Resource {
    std::string name;
    bool is_global = false;  // one for all devices; else one for each
    uint32_t count = 1;
  };

  std::vector<Resource> resources;
  uint32_t priority = 1;  // 0 stands for 1
};

// How much of a resource a server has.
struct ResourceLimit {
  static constexpr int32_t kEveryDevice = -1;

  std::string name;
  uint32_t count = 0;
  int32_t device = kEveryDevice;
};

class RateLimiter {
 public:
  using Slot = uint32_t;

  // limits: what is there. Where there is none at all, there is as much of each resource as the neediest
  // instance needs.
  explicit RateLimiter(std::vector<ResourceLimit> limits) : limits_(std::move(limits)) {}

  // An instance on a device that will ask. INVALID_ARGUMENT where there can never be enough for it, or where
  // a resource is global to one and not to another.
  Result<Slot> Add(const RateLimit& limit, int32_t device);
  // It will not ask any more. REQUIRES: it neither waits nor executes.
  void Remove(Slot slot);
  // Other needs from the next execution on, of all of them or, as Add refuses, of none.
  struct NewLimit {
    Slot slot;
    RateLimit limit;
  };
  Status Change(const std::vector<NewLimit>& limits);

  // The instance wants to execute. Take tells when it may.
  void Ask(Slot slot);
  // It does not any more. REQUIRES: it waits.
  void Withdraw(Slot slot);
  // It has executed; or it has not, since there was nothing to execute.
  void Finish(Slot slot);
  void Forgo(Slot slot);
  // Those that may execute from now on, in their order.
  std::vector<Slot> Take();

 private:
  static constexpr int32_t kGlobal = -2;
  using ResourceKey = std::pair<std::string, int32_t>;
  using Needs = std::map<ResourceKey, uint32_t>;

  struct Instance {
    bool is_there = false;
    int32_t device = 0;
    uint32_t priority = 1;
    uint64_t executions = 0;
    uint64_t asked = 0;  // 0: does not wait
    Needs needs;
    Needs held;  // while it executes
  };

  static Needs NeedsOf(const RateLimit& limit, int32_t device);
  // Of an instance that is there.
  Status Check(Slot slot) const;
  uint32_t Available(const ResourceKey& key) const;
  std::vector<Slot> Waiting() const;

  const std::vector<ResourceLimit> limits_;
  std::vector<Instance> instances_;
  Needs used_;
  uint64_t asks_ = 0;
};

}  // namespace workbench
