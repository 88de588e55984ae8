// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_history.h"

#include <algorithm>
#include <cstring>

namespace workbench {

EventHistory::EventHistory(size_t capacity) : capacity_(capacity), records_(NewEventArray(capacity)) {}

void EventHistory::Append(const Event* events, size_t count) {
  while (count > 0) {
    const size_t offset = end_position_ % capacity_;
    const size_t part = std::min(count, capacity_ - offset);
    std::memcpy(static_cast<void*>(&records_[offset]), events, part * sizeof(Event));
    end_position_ += part;
    events += part;
    count -= part;
  }
  ForgetOldRuns();
}

void EventHistory::Skip(uint64_t count) {
  if (count == 0) return;
  const Run next{end() + count, end_position_};
  if (runs_.back().first_position == end_position_) runs_.pop_back();
  runs_.push_back(next);
}

uint64_t EventHistory::end() const {
  return runs_.back().first_number + (end_position_ - runs_.back().first_position);
}

uint64_t EventHistory::Read(uint64_t since, size_t limit, std::vector<Event>* out) const {
  size_t run = 0;
  while (run + 1 < runs_.size() && runs_[run + 1].first_number <= since) ++run;
  for (; run < runs_.size(); ++run) {
    const auto [first_number, run_position] = runs_[run];
    const uint64_t wanted = run_position + (std::max(since, first_number) - first_number);
    const uint64_t position = std::max(wanted, first_position());
    if (position >= RunEnd(run)) continue;
    const size_t count = std::min<uint64_t>(limit, RunEnd(run) - position);
    Copy(position, count, out);
    limit -= count;
    if (limit == 0) return first_number + (position + count - run_position);
  }
  return end();
}

uint64_t EventHistory::RunEnd(size_t run) const {
  return run + 1 < runs_.size() ? runs_[run + 1].first_position : end_position_;
}

void EventHistory::ForgetOldRuns() {
  while (runs_.size() > 1 && runs_[1].first_position <= first_position()) runs_.pop_front();
}

void EventHistory::Copy(uint64_t position, size_t count, std::vector<Event>* out) const {
  while (count > 0) {
    const size_t offset = position % capacity_;
    const size_t part = std::min(count, capacity_ - offset);
    out->insert(out->end(), &records_[offset], &records_[offset] + part);
    position += part;
    count -= part;
  }
}

}  // namespace workbench
