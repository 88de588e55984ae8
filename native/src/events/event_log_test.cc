// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
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
  auto log = EventLog::Create({}).value();
  log->Append(WithId(1));
  AppendFromThread(log.get(), 2, 3);
  std::vector<Event> events;
  const auto result = log->Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), testing::UnorderedElementsAre(1, 2));
  EXPECT_EQ(result.next_since, 2u);
  EXPECT_EQ(result.dropped, 0u);
}

TEST(EventLogTest, AReaderGoesOnWhereItStopped) {
  auto log = EventLog::Create({}).value();
  for (uint64_t id = 0; id < 5; ++id) log->Append(WithId(id));
  std::vector<Event> events;
  const auto first = log->Read(0, 3, &events);
  EXPECT_THAT(Ids(events), ElementsAre(0, 1, 2));
  events.clear();
  const auto second = log->Read(first.next_since, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(3, 4));
  EXPECT_EQ(second.next_since, 5u);
}

TEST(EventLogTest, ReadersDoNotTakeFromEachOther) {
  auto log = EventLog::Create({}).value();
  log->Append(WithId(7));
  for (int reader = 0; reader < 2; ++reader) {
    std::vector<Event> events;
    log->Read(0, kAll, &events);
    EXPECT_THAT(Ids(events), ElementsAre(7));
  }
}

TEST(EventLogTest, ANumberFromTheFutureIsSetBackToTheEnd) {
  auto log = EventLog::Create({}).value();
  log->Append(WithId(7));
  std::vector<Event> events;
  const auto result = log->Read(1000, kAll, &events);
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(result.next_since, 1u);
  EXPECT_EQ(result.dropped, 0u);
}

TEST(EventLogTest, CountsRecordsOverwrittenBeforeTheyWereRead) {
  EventLog::Options options;
  options.byte_size = 10 * sizeof(Event);
  auto log = EventLog::Create(options).value();
  for (uint64_t id = 0; id < 25; ++id) log->Append(WithId(id));
  std::vector<Event> events;
  const auto result = log->Read(0, kAll, &events);
  EXPECT_EQ(events.size(), 10u);
  EXPECT_EQ(events.front().id, 15u);
  EXPECT_EQ(result.dropped, 15u);
}

TEST(EventLogTest, CountsEveryEventEitherReadOrDropped) {
  EventLog::Options options;
  options.ring_capacity = 8;
  options.max_ring_capacity = 8;
  auto log = EventLog::Create(options).value();
  for (uint64_t id = 0; id < 50'000; ++id) log->Append(WithId(id));
  std::vector<Event> events;
  const auto result = log->Read(0, kAll, &events);
  EXPECT_EQ(result.next_since, 50'000u);
  EXPECT_EQ(events.size() + result.dropped, 50'000u);
  EXPECT_EQ(log->statistics().dropped, result.dropped);
}

TEST(EventLogTest, TheWorkerGathersUnaskedWhenARingFills) {
  EventLog::Options options;
  options.ring_capacity = 64;
  auto log = EventLog::Create(options).value();
  uint64_t appended = 0;
  while (log->statistics().appended == 0) log->Append(WithId(appended++));
  EXPECT_GE(appended, 32u);
}

TEST(EventLogTest, ARingReturnsToThePoolWhenItsThreadEnds) {
  auto log = EventLog::Create({}).value();
  for (int i = 0; i < 100; ++i) AppendFromThread(log.get(), i, i + 1);
  std::vector<Event> events;
  log->Read(0, kAll, &events);
  EXPECT_EQ(events.size(), 100u);
  EXPECT_EQ(log->statistics().rings, 0u);
  EXPECT_EQ(log->statistics().rings_byte_size, 0u);
}

TEST(EventLogTest, OneThreadServesSeveralLogs) {
  auto first = EventLog::Create({}).value();
  auto second = EventLog::Create({}).value();
  for (uint64_t id = 0; id < 10; ++id) (id % 2 == 0 ? first : second)->Append(WithId(id));
  std::vector<Event> events;
  first->Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(0, 2, 4, 6, 8));
  events.clear();
  second->Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_EQ(first->statistics().rings, 1u);
}

TEST(EventLogTest, AThreadOutlivesItsLogs) {
  for (uint64_t id = 0; id < 10; ++id) {
    auto log = EventLog::Create({}).value();
    log->Append(WithId(id));
    std::vector<Event> events;
    log->Read(0, kAll, &events);
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
  auto log = EventLog::Create({}).value();
  std::thread([&] {
    at_thread_end.log = log.get();
    log->Append(WithId(1));
  }).join();
  std::vector<Event> events;
  log->Read(0, kAll, &events);
  EXPECT_THAT(Ids(events), ElementsAre(1, 99));
}

// Writers, and readers that each follow the log, all at once: every reader gets every event of every writer,
// in its writer's order, exactly once.
TEST(EventLogTest, EveryReaderGetsEveryEventOnceAndInItsThreadsOrder) {
  constexpr uint16_t kWriters = 4;
  constexpr uint64_t kEvents = 20'000;
  EventLog::Options options;
  options.ring_capacity = 16;
  auto log = EventLog::Create(options).value();
  std::vector<std::thread> threads;
  for (uint16_t writer = 1; writer <= kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (uint64_t id = 0; id < kEvents; ++id) log->Append(WithId(id, writer));
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
        at = log->Read(at.next_since, 1000, &events);
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
  EXPECT_EQ(log->statistics().appended, kWriters * kEvents);
}

TEST(EventLogTest, RingsOfThreadsThatEndedAreGivenBackThoughNobodyReads) {
  auto log = EventLog::Create(EventLog::Options()).value();
  for (int i = 0; i < 50; ++i) std::thread([&] { log->Append(Event()); }).join();
  while (log->statistics().rings > 5) std::thread([&] { log->Append(Event()); }).join();
  SUCCEED();  // else the test does not end
}

TEST(EventLogTest, ALogOfNoBytesKeepsNothing) {
  EventLog::Options options;
  options.byte_size = 0;
  auto log = EventLog::Create(options).value();
  for (int i = 0; i < 5000; ++i) log->Append(Event());
  std::vector<Event> events;
  EXPECT_EQ(log->Read(0, 10, &events).next_since, 0u);
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(log->statistics().rings, 0u);
}

}  // namespace
}  // namespace workbench
