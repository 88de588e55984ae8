// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/batch_policy.h"

#include <algorithm>
#include <utility>

namespace workbench {

BatchPolicy::BatchPolicy(BatchingOptions options) : options_(std::move(options)) {
  options_.max_batch_size = std::max(1u, options_.max_batch_size);
  if (options_.preferred_batch_sizes.empty()) options_.preferred_batch_sizes = {options_.max_batch_size};
  largest_preferred_ =
      *std::max_element(options_.preferred_batch_sizes.begin(), options_.preferred_batch_sizes.end());
}

bool BatchPolicy::IsPreferred(uint32_t rows) const {
  const auto& sizes = options_.preferred_batch_sizes;
  return std::find(sizes.begin(), sizes.end(), rows) != sizes.end();
}

// Whether the entry may join those scanned so far; if not, stopped_by_ says why.
bool BatchPolicy::Fits(const QueueEntry& entry, const QueueEntry& head) {
  if (rows_ + entry.rows > largest_preferred_ && best_count_ == 0) {
    // No preferred size can be met any more: the size so far is the best there is.
    best_count_ = count_;
    best_rows_ = rows_;
  }
  if (rows_ + entry.rows > options_.max_batch_size) {
    stopped_by_ = BatchReason::kFull;
  } else if (entry.shape_signature != head.shape_signature) {
    stopped_by_ = BatchReason::kShapeMismatch;
  }
  return stopped_by_ == BatchReason::kNone;
}

bool BatchPolicy::IsIncluded(const QueueEntry& entry) {
  if (!is_begun_) options_.strategy->Begin();
  is_begun_ = true;
  // A strategy that takes nothing into an empty batch would stop the queue for ever: that entry goes alone.
  if (options_.strategy->Include(entry)) return true;
  stopped_by_ = BatchReason::kCustom;
  return count_ == 0;
}

// False once the entry does not fit, with stopped_by_ set.
bool BatchPolicy::Add(const QueueEntry& entry, const QueueEntry& head) {
  if (count_ > 0 && !Fits(entry, head)) return false;
  if (options_.strategy != nullptr && !IsIncluded(entry)) return false;
  ++count_;
  oldest_ns_ = std::min(oldest_ns_, entry.arrival_ns + entry.held_back_ns);
  rows_ += entry.rows;
  if (IsPreferred(rows_)) {
    best_count_ = count_;
    best_rows_ = rows_;
  }
  return true;
}

void BatchPolicy::Scan(const QueueEntry* head) {
  const QueueEntry* entry = last_ != nullptr ? last_->next : head;
  while (entry != nullptr && stopped_by_ == BatchReason::kNone && Add(*entry, *head)) {
    last_ = entry;
    if (rows_ >= options_.max_batch_size) stopped_by_ = BatchReason::kFull;
    entry = entry->next;
  }
}

BatchDecision BatchPolicy::Send(uint32_t count, uint32_t rows, BatchReason reason) const {
  if (rows >= options_.max_batch_size) reason = BatchReason::kFull;
  return {count, reason, 0};
}

BatchDecision BatchPolicy::DecideDynamic(const QueueEntry* head, uint64_t now_ns) {
  Scan(head);
  const uint64_t due_ns = oldest_ns_ + options_.max_queue_delay_ns;
  const bool is_delay_exceeded = options_.max_queue_delay_ns != 0 && now_ns >= due_ns;
  if (best_count_ != 0 && !is_delay_exceeded) {
    const bool is_exact = IsPreferred(best_rows_);
    return Send(best_count_, best_rows_,
                is_exact                            ? BatchReason::kPreferred
                : stopped_by_ == BatchReason::kNone ? BatchReason::kFull
                                                    : stopped_by_);
  }
  if (stopped_by_ != BatchReason::kNone) return Send(count_, rows_, stopped_by_);
  if (is_delay_exceeded) return Send(count_, rows_, BatchReason::kDelayExpired);
  // One request beyond all preferred sizes: waiting cannot make it better.
  if (rows_ >= largest_preferred_) return Send(count_, rows_, BatchReason::kFull);
  if (options_.max_queue_delay_ns == 0) return Send(count_, rows_, BatchReason::kInstanceFree);
  return {0, BatchReason::kNone, due_ns};
}

}  // namespace workbench
