// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <thread>

namespace workbench {
namespace {

using testing::ElementsAre;

constexpr size_t kAll = SIZE_MAX;

Event WithId(uint64_t id, uint16_t model = 0) {
  Event event;
  event.id = id;
  event.model = model;
  return event;
}

std::vector<uint64_t> Ids(const std::vector<Event>& events) {
  std::vector<uint64_t> ids;
  for (const Event& event : events) ids.push_back(event.id);
  return ids;
}

// Appends from a thread that has ended when this returns.
void AppendFromThread(EventLog* log, uint64_t begin, uint64_t end) {
  std::thread([=] {
    for (uint64_t id = begin; id < end; ++id) log->Append(WithId(id));
  }).join();
}

TEST(EventLogTest, AReaderSeesWhatWasAppendedBefore) {
  EventLog log{{}};
  log.Append(WithId(1));
  AppendFromThread(&log, 2, 3);
  std::vector<Event> events;
  const auto result = log.Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), testing::UnorderedElementsAre(1, 2));
  EXPECT_EQ(result.next_since, 2u);
  EXPECT_EQ(result.dropped, 0u);
}

TEST(EventLogTest, AReaderGoesOnWhereItStopped) {
  EventLog log{{}};
  for (uint64_t id = 0; id < 5; ++id) log.Append(WithId(id));
  std::vector<Event> events;
  const auto first = log.Read(0, 3, &events);
  EXPECT_THAT(Ids(events), ElementsAre(0, 1, 2));
  events.clear();
  const auto second = log.Read(first.next_since, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(3, 4));
  EXPECT_EQ(second.next_since, 5u);
}

TEST(EventLogTest, ReadersDoNotTakeFromEachOther) {
  EventLog log{{}};
  log.Append(WithId(7));
  for (int reader = 0; reader < 2; ++reader) {
    std::vector<Event> events;
    log.Read(0, kAll, &events);
    EXPECT_THAT(Ids(events), ElementsAre(7));
  }
}

TEST(EventLogTest, ANumberFromTheFutureIsSetBackToTheEnd) {
  EventLog log{{}};
  log.Append(WithId(7));
  std::vector<Event> events;
  const auto result = log.Read(1000, kAll, &events);
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(result.next_since, 1u);
  EXPECT_EQ(result.dropped, 0u);
}

TEST(EventLogTest, CountsRecordsOverwrittenBeforeTheyWereRead) {
  EventLog::Options options;
  options.byte_size = 10 * sizeof(Event);
  EventLog log(options);
  for (uint64_t id = 0; id < 25; ++id) log.Append(WithId(id));
  std::vector<Event> events;
  const auto result = log.Read(0, kAll, &events);
  EXPECT_EQ(events.size(), 10u);
  EXPECT_EQ(events.front().id, 15u);
  EXPECT_EQ(result.dropped, 15u);
}

TEST(EventLogTest, CountsEveryEventEitherReadOrDropped) {
  EventLog::Options options;
  options.byte_size = 1000 * sizeof(Event);
  options.chunk_capacity = 8;
  EventLog log(options);
  for (uint64_t id = 0; id < 50'000; ++id) log.Append(WithId(id));
  std::vector<Event> events;
  const auto result = log.Read(0, kAll, &events);
  EXPECT_EQ(result.next_since, 50'000u);
  EXPECT_EQ(events.size(), 1000u);
  EXPECT_EQ(result.dropped, 49'000u);
}

TEST(EventLogTest, NumbersUnaskedWhenAChunkIsFull) {
  EventLog::Options options;
  options.chunk_capacity = 64;
  EventLog log(options);
  for (uint64_t id = 0; id < 65; ++id) log.Append(WithId(id));
  EXPECT_EQ(log.statistics().appended, 64u);
}

TEST(EventLogTest, ThreadsThatEndLeaveTheirChunkToTheNext) {
  EventLog log{{}};
  for (int i = 0; i < 100; ++i) AppendFromThread(&log, i, i + 1);
  EXPECT_EQ(log.statistics().open_chunks, 0u);
  EXPECT_EQ(log.statistics().chunks, 1u);
  std::vector<Event> events;
  log.Read(0, kAll, &events);
  EXPECT_EQ(events.size(), 100u);
}

TEST(EventLogTest, OneThreadServesSeveralLogs) {
  EventLog first{{}};
  EventLog second{{}};
  for (uint64_t id = 0; id < 10; ++id) (id % 2 == 0 ? first : second).Append(WithId(id));
  std::vector<Event> events;
  first.Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(0, 2, 4, 6, 8));
  events.clear();
  second.Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_EQ(first.statistics().open_chunks, 1u);
}

TEST(EventLogTest, AThreadOutlivesItsLogs) {
  for (uint64_t id = 0; id < 10; ++id) {
    EventLog log{{}};
    log.Append(WithId(id));
    std::vector<Event> events;
    log.Read(0, kAll, &events);
    EXPECT_THAT(Ids(events), ElementsAre(id));
  }
}

// A thread-local object that is destroyed after the thread's work.
struct AppendsAtThreadEnd {
  EventLog* log = nullptr;
  ~AppendsAtThreadEnd() {
    if (log != nullptr) log->Append(WithId(99));
  }
};
thread_local AppendsAtThreadEnd at_thread_end;

TEST(EventLogTest, TakesEventsOfThreadLocalDestructors) {
  EventLog log{{}};
  std::thread([&] {
    at_thread_end.log = &log;
    log.Append(WithId(1));
  }).join();
  std::vector<Event> events;
  log.Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(1, 99));
}

// Writers, and readers that each follow the log, all at once: every reader gets every event of every writer,
// in its writer's order, exactly once.
TEST(EventLogTest, EveryReaderGetsEveryEventOnceAndInItsThreadsOrder) {
  constexpr uint16_t kWriters = 4;
  constexpr uint64_t kEvents = 20'000;
  EventLog::Options options;
  options.chunk_capacity = 16;
  EventLog log(options);
  std::vector<std::thread> threads;
  for (uint16_t writer = 1; writer <= kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (uint64_t id = 0; id < kEvents; ++id) log.Append(WithId(id, writer));
    });
  }
  std::atomic<uint64_t> disorder{0};
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&] {
      std::map<uint16_t, uint64_t> last;
      std::vector<Event> events;
      EventLog::ReadResult at;
      uint64_t received = 0, dropped = 0;
      while (received + dropped < kWriters * kEvents) {
        events.clear();
        at = log.Read(at.next_since, 1000, &events);
        received += events.size();
        dropped += at.dropped;
        for (const Event& event : events)
          disorder += event.id + 1 <= std::exchange(last[event.model], event.id + 1);
      }
      disorder += received + dropped != kWriters * kEvents;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(disorder, 0u);
  EXPECT_EQ(log.statistics().appended, kWriters * kEvents);
}

// Each thread has three events, and ends: one chunk for each would be 640 MiB.
TEST(EventLogTest, ManyShortThreadsTakeNoMoreThanTheirRecords) {
  constexpr uint64_t kThreads = 10'000;
  EventLog log{{}};
  for (uint64_t thread = 0; thread < kThreads; ++thread) AppendFromThread(&log, 3 * thread, 3 * thread + 3);
  EXPECT_LE(log.statistics().chunks, 3 * kThreads / 1024 + 1);
  std::vector<Event> events;
  EXPECT_EQ(log.Read(0, kAll, &events).dropped, 0u);
  EXPECT_EQ(events.size(), 3 * kThreads);
}

TEST(EventLogTest, ManyThreadsAtOnceTakeAChunkEachUntilItsRecordsAreOverwritten) {
  constexpr size_t kThreads = 100;
  EventLog::Options options;
  options.byte_size = 1000 * sizeof(Event);
  EventLog log(options);
  std::atomic<size_t> begun{0};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      log.Append(Event());
      ++begun;
      while (begun < kThreads) std::this_thread::yield();
      log.Append(Event());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(log.statistics().chunks, kThreads + 1);
  AppendFromThread(&log, 0, 10'000);
  EXPECT_LE(log.statistics().chunks, 20u);
}

TEST(EventLogTest, AThreadServesManyLogsOneAfterTheOtherAndAtOnce) {
  for (int round = 0; round < 10; ++round) {
    std::vector<std::unique_ptr<EventLog>> logs;
    for (int i = 0; i < 50; ++i) logs.push_back(std::make_unique<EventLog>(EventLog::Options()));
    for (uint64_t id = 0; id < 3000; ++id) {
      for (auto& log : logs) log->Append(WithId(id));
    }
    for (auto& log : logs) {
      std::vector<Event> events;
      EXPECT_EQ(log->Read(0, kAll, &events).next_since, 3000u);
      EXPECT_EQ(log->statistics().open_chunks, 1u);
    }
  }
}

// Readers follow a log that overwrites faster than they read, while threads come and go.
TEST(EventLogTest, WhatAReaderGetsIsWholeWhileItIsOverwritten) {
  EventLog::Options options;
  options.byte_size = 300 * sizeof(Event);
  options.chunk_capacity = 16;
  EventLog log(options);
  std::atomic<bool> is_over{false};
  std::atomic<uint64_t> torn{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&] {
      EventLog::ReadResult at;
      uint64_t received = 0, dropped = 0;
      for (bool is_last = false; !is_last;) {
        is_last = is_over;
        std::vector<Event> events;
        at = log.Read(at.next_since, kAll, &events);
        received += events.size();
        dropped += at.dropped;
        for (const Event& event : events) torn += event.id != event.arrival_ns || event.id != event.end_ns;
      }
      torn += received + dropped != at.next_since;
    });
  }
  std::vector<std::thread> writers;
  for (uint64_t writer = 0; writer < 3; ++writer) {
    writers.emplace_back([&, writer] {
      for (uint64_t thread = 0; thread < 50; ++thread) {
        std::thread([&] {
          for (uint64_t i = 0; i < 200; ++i) {
            Event event = WithId(writer << 40 | thread << 20 | i);
            event.arrival_ns = event.end_ns = event.id;
            log.Append(event);
          }
        }).join();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  is_over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(log.statistics().appended, 3u * 50 * 200);
  EXPECT_EQ(log.statistics().open_chunks, 0u);
}

TEST(EventLogTest, ALogOfNoBytesKeepsNothing) {
  EventLog::Options options;
  options.byte_size = 0;
  EventLog log(options);
  for (int i = 0; i < 5000; ++i) log.Append(Event());
  std::vector<Event> events;
  EXPECT_EQ(log.Read(0, 10, &events).next_since, 0u);
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(log.statistics().open_chunks, 0u);
}

}  // namespace
}  // namespace workbench
