// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For the stress test: random models of every scheduler, all FP32 [4] in and out.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/bridge.h"

namespace workbench {

constexpr uint64_t kSecond = 1'000'000'000;

enum class SlotKind { kPlain, kSequences, kEnsemble };

class RandomModels {
 public:
  explicit RandomModels(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t bound) { return random_() % bound; }

  SchedulingOptions Scheduling(SlotKind kind) {
    SchedulingOptions options;
    options.batching = {Below(4) != 0, 8, Below(2) * Below(300'000), {}};
    if (Below(3) == 0) options.batching.preferred_batch_sizes = {static_cast<uint32_t>(1 + Below(8))};
    if (kind == SlotKind::kSequences) return OfSequences(std::move(options));
    options.queue.priority_levels = static_cast<uint32_t>(Below(3));
    options.queue.default_priority_level = options.queue.priority_levels;
    QueuePolicy& policy = options.queue.default_policy;
    policy.default_timeout_ns = Below(2) * (1 + Below(kSecond / 100));
    policy.timeout_action = Below(2) == 0 ? TimeoutAction::kReject : TimeoutAction::kDelay;
    policy.max_queue_size = static_cast<uint32_t>(Below(2) * 64);
    options.preserve_ordering = options.queue.priority_levels < 2 && Below(4) == 0;
    return options;
  }

  // One to three, of which some need what there is one of.
  std::vector<InstanceSpec> Instances(const std::string& name) {
    std::vector<InstanceSpec> instances;
    for (uint64_t i = 0; i <= Below(3); ++i) {
      InstanceSpec instance;
      instance.name = name + "_" + std::to_string(i);
      if (Below(4) == 0) instance.limit.resources.push_back({"R", false, 1});
      instance.limit.priority = static_cast<uint32_t>(Below(3));
      instances.push_back(std::move(instance));
    }
    return instances;
  }

  // members: the models that steps of an ensemble run on.
  ModelSpec Spec(const std::string& name, SlotKind kind, const std::vector<std::string>& members) {
    ModelSpec spec;
    spec.signature.name = name;
    spec.signature.max_batch_size = 8;
    spec.signature.inputs.push_back({"IN", DataType::kFp32, {4}, false, {}, false, false, false});
    spec.signature.outputs.push_back({"OUT", DataType::kFp32, {4}, false, {}, false, false, false});
    spec.config_json = "{}";
    spec.is_cached = kind != SlotKind::kSequences && Below(3) == 0;
    if (kind == SlotKind::kEnsemble) {
      spec.ensemble = EnsembleOptions{Steps(members), 0};
      return spec;
    }
    spec.scheduling = Scheduling(kind);
    spec.instances = Instances(name);
    return spec;
  }

 private:
  SchedulingOptions OfSequences(SchedulingOptions options) {
    SequenceOptions& sequence = options.sequence;
    const bool is_direct = Below(2) == 0;
    sequence.strategy = is_direct ? SequenceOptions::Strategy::kDirect : SequenceOptions::Strategy::kOldest;
    sequence.max_candidate_sequences = static_cast<uint32_t>(1 + Below(8));
    sequence.max_idle_ns = 1'000'000 * (1 + Below(50));
    sequence.minimum_slot_utilization = Below(2) == 0 ? 0.0 : 0.5;
    return options;
  }

  // A chain from IN to OUT.
  std::vector<EnsembleStep> Steps(const std::vector<std::string>& members) {
    std::vector<EnsembleStep> steps;
    const uint64_t count = 1 + Below(3);
    for (uint64_t i = 0; i < count; ++i) {
      const std::string from = i == 0 ? "IN" : "t" + std::to_string(i);
      const std::string to = i + 1 == count ? "OUT" : "t" + std::to_string(i + 1);
      steps.push_back({members[Below(members.size())], -1, {{"IN", from}}, {{"OUT", to}}, false});
    }
    return steps;
  }

  std::mt19937_64 random_;
};

}  // namespace workbench
