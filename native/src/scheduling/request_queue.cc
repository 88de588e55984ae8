// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/request_queue.h"

#include <algorithm>
#include <utility>

namespace workbench {

RequestQueue::RequestQueue(QueueOptions options)
    : options_(std::move(options)),
      policies_(std::max(1u, options_.priority_levels), options_.default_policy),
      segments_(size_t{2} * policies_.size()) {
  for (const auto& [level, policy] : options_.level_policies) {
    if (level >= 1 && level <= policies_.size()) policies_[level - 1] = policy;
  }
}

std::vector<QueueLevel> RequestQueue::levels() const {
  std::vector<QueueLevel> found;
  if (options_.priority_levels == 0) return found;
  for (uint32_t level = 0; level < policies_.size(); ++level) {
    const Segment& patient = segments_[size_t{2} * level];
    const Segment& delayed = segments_[size_t{2} * level + 1];
    if (patient.is_used) found.push_back({level + 1, patient.length + delayed.length});
  }
  return found;
}

bool RequestQueue::Expire(uint64_t now_ns, std::vector<QueueEntry*>* rejected) {
  bool has_changed = false;
  for (QueueEntry* entry = deadlines_.first(); entry != nullptr && entry->deadline_ns <= now_ns;
       entry = deadlines_.first()) {
    const uint32_t level = entry->segment / 2;
    Remove(entry);
    entry->deadline_ns = 0;
    if (policies_[level].timeout_action == TimeoutAction::kReject) {
      rejected->push_back(entry);
    } else {
      Link(entry, 2 * level + 1);
    }
    has_changed = true;
  }
  return has_changed;
}

}  // namespace workbench
