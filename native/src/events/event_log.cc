// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_log.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/patience.h"

namespace workbench {
namespace {

constexpr size_t kPinned = 4096;  // records that a reader pins at a time
// A log of few chunks would keep much more than it is asked to; one of less than a page gains nothing.
constexpr size_t kChunksOfASmallLog = 16;
constexpr size_t kRecordsOfAPage = 4096 / sizeof(Event);

uint64_t NextLogId() {
  static std::atomic<uint64_t> last_id{0};
  return ++last_id;
}

std::shared_ptr<EventStore> NewStore(const EventLog::Options& options) {
  if (options.byte_size == 0) return nullptr;
  const size_t capacity = std::max<size_t>(1, options.byte_size / sizeof(Event));
  const size_t chunk_capacity = std::max(kRecordsOfAPage, capacity / kChunksOfASmallLog);
  return std::make_shared<EventStore>(capacity, std::min(options.chunk_capacity, chunk_capacity));
}

}  // namespace

EventLog::EventLog(const Options& options) : id_(NextLogId()), store_(NewStore(options)) {}

EventWriter* EventLog::WriterOfThisThread() {
  const Patience patience;
  if (EventWriter* const writer = ThreadWriters::Find(id_)) return writer;
  return ThreadWriters::Add(id_, std::make_unique<EventWriter>(store_));
}

EventLog::ReadResult EventLog::Read(uint64_t since, size_t limit, std::vector<Event>* out) {
  if (store_ == nullptr) return {};
  const auto [begin, end] = store_->NumberAll();
  if (since >= end) return {end, 0};
  const size_t before = out->size();
  uint64_t next = std::max(since, begin);
  const uint64_t stop = next + std::min<uint64_t>(limit, end - next);
  out->reserve(before + (stop - next));
  while (next < stop) {
    const uint64_t last = std::min(stop, next + kPinned);
    std::vector<EventRun> runs = store_->Pin(next, last);
    for (const EventRun& run : runs) out->insert(out->end(), run.begin(), run.end());
    store_->Unpin(std::move(runs));
    next = last;
  }
  return {stop, (stop - since) - (out->size() - before)};
}

}  // namespace workbench
