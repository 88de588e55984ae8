// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_history.h"

#include <algorithm>
#include <utility>

namespace workbench {

void EventHistory::Append(const std::shared_ptr<EventChunk>& chunk) {
  const size_t offset = chunk->numbered();
  const size_t head = chunk->head();
  if (offset == head) return;
  const bool goes_on =
      !runs_.empty() && runs_.back().chunk == chunk && runs_.back().offset + runs_.back().count == offset;
  if (!goes_on) runs_.push_back({end_, chunk, offset, 0});
  runs_.back().count += head - offset;
  chunk->set_numbered(head);
  end_ += head - offset;
}

std::shared_ptr<EventChunk> EventHistory::TakeExpired() {
  if (runs_.empty() || runs_.front().end_number() > begin()) return nullptr;
  std::shared_ptr<EventChunk> chunk = std::move(runs_.front().chunk);
  runs_.pop_front();
  return chunk;
}

std::vector<EventRun> EventHistory::Find(uint64_t first, uint64_t last) const {
  first = std::max(first, begin());
  last = std::min(last, end_);
  std::vector<EventRun> found;
  if (first >= last) return found;
  auto run = std::upper_bound(runs_.begin(), runs_.end(), first, [](uint64_t number, const EventRun& each) {
    return number < each.first_number;
  });
  for (--run; first < last; ++run) {
    const size_t count = std::min(last, run->end_number()) - first;
    found.push_back({first, run->chunk, run->offset + (first - run->first_number), count});
    first += count;
  }
  return found;
}

}  // namespace workbench
