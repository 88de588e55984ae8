// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_log.h"

#include <algorithm>
#include <utility>

#include "base/patience.h"

namespace workbench {
namespace {

// Records that a reader copies under the lock at a time: a few tens of microseconds, so rings never wait
// long.
constexpr size_t kReadSlice = 4096;

uint64_t NextLogId() {
  static std::atomic<uint64_t> last_id{0};
  return ++last_id;
}

size_t RoundUpToPowerOfTwo(size_t value) {
  size_t power = 2;
  while (power < value) power *= 2;
  return power;
}

EventLog::Options Completed(EventLog::Options options) {
  options.ring_capacity = RoundUpToPowerOfTwo(options.ring_capacity);
  options.max_ring_capacity = std::max(options.ring_capacity, RoundUpToPowerOfTwo(options.max_ring_capacity));
  return options;
}

}  // namespace

Result<std::unique_ptr<EventLog>> EventLog::Create(const Options& options) {
  std::unique_ptr<EventLog> log(new EventLog(Completed(options)));
  ASSIGN_OR_RETURN(log->worker_, Worker::Start("wb-events", [log = log.get()] { log->RunWorker(); }));
  return log;
}

EventLog::EventLog(const Options& options)
    : id_(NextLogId()),
      options_(options),
      pool_(options.ring_capacity, options.rings_byte_size),
      history_(std::max<size_t>(1, options.byte_size / sizeof(Event))) {
  sem_init(&wake_, 0, 0);
}

EventLog::~EventLog() {
  const Patience patience;
  is_stopping_.store(true);
  sem_post(&wake_);
  worker_.Join();
  sem_destroy(&wake_);
  MutexLock lock(&mutex_);
  Gather();
  for (auto& ring : rings_) ring->Close();
}

EventRing* EventLog::RingOfThisThread() {
  const Patience patience;
  if (EventRing* known = ThreadRings::Find(id_)) return known;
  auto ring = std::make_shared<EventRing>(options_.max_ring_capacity, &pool_);
  {
    MutexLock lock(&new_rings_mutex_);
    new_rings_.push_back(ring);
  }
  AskForGathering();  // rings of threads that ended meanwhile go back to the pool, though nobody reads
  return ThreadRings::Add(id_, std::move(ring));
}

void EventLog::AskForGathering() {
  if (!is_asked_.load(std::memory_order_relaxed) && !is_asked_.exchange(true)) sem_post(&wake_);
}

void EventLog::RunWorker() {
  for (;;) {
    while (sem_wait(&wake_) != 0) {
    }
    if (is_stopping_.load()) return;
    is_asked_.store(false);
    MutexLock lock(&mutex_);
    Gather();
  }
}

void EventLog::Gather() {
  {
    MutexLock lock(&new_rings_mutex_);
    rings_.insert(rings_.end(), new_rings_.begin(), new_rings_.end());
    new_rings_.clear();
  }
  for (auto& ring : rings_) {
    const bool is_retired = ring->is_retired();  // read first: what is retired by now has all its events
    GatherRing(ring.get());
    if (is_retired) ring->Close();
  }
  const auto is_closed = [](const auto& ring) { return ring->is_closed(); };
  rings_.erase(std::remove_if(rings_.begin(), rings_.end(), is_closed), rings_.end());
}

void EventLog::GatherRing(EventRing* ring) {
  EventHistory* const history = &history_;
  ring->Drain([history](const Event* events, size_t count) { history->Append(events, count); });
  const uint64_t dropped = ring->TakeDropped();
  history_.Skip(dropped);
  dropped_ += dropped;
}

EventLog::ReadResult EventLog::Read(uint64_t since, size_t limit, std::vector<Event>* out) {
  uint64_t end;
  {
    MutexLock lock(&mutex_);
    Gather();
    end = history_.end();
  }
  if (since >= end) return {end, 0};
  const size_t before = out->size();
  limit = std::min<uint64_t>(limit, end - since);
  out->reserve(before + limit);
  uint64_t next = since;
  while (next < end && out->size() - before < limit) {
    MutexLock lock(&mutex_);
    Gather();
    next = history_.Read(next, std::min(kReadSlice, limit - (out->size() - before)), out);
  }
  return {next, (next - since) - (out->size() - before)};
}

EventLog::Statistics EventLog::statistics() const {
  Statistics statistics;
  statistics.rings_byte_size = pool_.taken_byte_size();
  MutexLock lock(&mutex_);
  statistics.appended = history_.end();
  statistics.dropped = dropped_;
  statistics.rings = rings_.size();
  return statistics;
}

}  // namespace workbench
