// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_store.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/patience.h"

namespace workbench {

EventChunk* EventStore::Open() {
  const Patience patience;
  {
    MutexLock lock(&mutex_);
    if (Chunk spare = TakeSpare()) return AddOpen(std::move(spare));
  }
  auto made = std::make_shared<EventChunk>(chunk_capacity_);
  MutexLock lock(&mutex_);
  return AddOpen(std::move(made));
}

EventChunk* EventStore::Exchange(EventChunk* full) {
  {
    const Patience patience;
    MutexLock lock(&mutex_);
    LetGo(TakeOpen(full));
  }
  return Open();
}

void EventStore::Leave(EventChunk* chunk) {
  const Patience patience;
  MutexLock lock(&mutex_);
  Chunk left = TakeOpen(chunk);
  if (left.use_count() == 1 || left->is_full()) return LetGo(std::move(left));
  left_.push_back(std::move(left));
}

EventStore::Range EventStore::NumberAll() {
  MutexLock lock(&mutex_);
  NumberOpen();
  return {history_.begin(), history_.end()};
}

std::vector<EventRun> EventStore::Pin(uint64_t first, uint64_t last) {
  MutexLock lock(&mutex_);
  return history_.Find(first, last);
}

void EventStore::Unpin(std::vector<EventRun> runs) {
  const Patience patience;
  MutexLock lock(&mutex_);
  for (EventRun& run : runs) LetGo(std::move(run.chunk));
}

void EventStore::Number(const Chunk& chunk) {
  history_.Append(chunk);
  while (Chunk expired = history_.TakeExpired()) LetGo(std::move(expired));
  while (!left_.empty() && left_.front().use_count() == 1) {  // they were left in the order of their numbers
    Chunk expired = std::move(left_.front());
    left_.pop_front();
    LetGo(std::move(expired));
  }
}

void EventStore::NumberOpen() {
  for (const Chunk& chunk : open_) Number(chunk);
  all_numbered_at_ = history_.end();
}

EventChunk* EventStore::AddOpen(Chunk chunk) {
  open_.push_back(std::move(chunk));
  return open_.back().get();
}

EventStore::Chunk EventStore::TakeOpen(EventChunk* chunk) {
  const auto place =
      std::find_if(open_.begin(), open_.end(), [chunk](const Chunk& each) { return each.get() == chunk; });
  Number(*place);
  // So that what is rare keeps its place among what is not, though nobody reads; no more often than that a
  // chunk is looked at once for each that is filled.
  if (history_.end() - all_numbered_at_ >= chunk_capacity_ * open_.size()) NumberOpen();
  Chunk taken = std::move(*place);
  *place = std::move(open_.back());
  open_.pop_back();
  return taken;
}

EventStore::Chunk EventStore::TakeSpare() {
  Chunk spare;
  if (!left_.empty()) {
    spare = std::move(left_.back());
    left_.pop_back();
  } else if (!empty_.empty()) {
    spare = std::move(empty_.back());
    empty_.pop_back();
  }
  if (spare.use_count() == 1) spare->Clear();
  return spare;
}

// Whoever held the chunk does no more. As many stay as threads may want at once, others go back to the
// system.
void EventStore::LetGo(Chunk chunk) {
  if (chunk.use_count() == 1 && empty_.size() <= open_.size()) empty_.push_back(std::move(chunk));
}

EventStore::Statistics EventStore::statistics() const {
  MutexLock lock(&mutex_);
  std::set<Chunk> chunks(open_.begin(), open_.end());
  chunks.insert(left_.begin(), left_.end());
  chunks.insert(empty_.begin(), empty_.end());
  for (const EventRun& run : history_.runs()) chunks.insert(run.chunk);
  return {history_.end(), open_.size(), chunks.size()};
}

}  // namespace workbench
