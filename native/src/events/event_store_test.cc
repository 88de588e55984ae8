// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Not;

class EventStoreTest : public testing::Test {
 protected:
  static constexpr size_t kChunk = 4;
  static constexpr size_t kKept = 16;

  // As a thread does it.
  EventChunk* Append(EventChunk* chunk, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (chunk->is_full()) chunk = store_.Exchange(chunk);
      Event event;
      event.id = next_id_++;
      chunk->Append(event);
    }
    return chunk;
  }
  static std::vector<uint64_t> Ids(const std::vector<EventRun>& runs) {
    std::vector<uint64_t> ids;
    for (const EventRun& run : runs) {
      for (const Event& event : run) ids.push_back(event.id);
    }
    return ids;
  }
  std::vector<uint64_t> Kept() {
    store_.NumberAll();
    std::vector<EventRun> runs = store_.Pin(0, UINT64_MAX);
    std::vector<uint64_t> ids = Ids(runs);
    store_.Unpin(std::move(runs));
    return ids;
  }
  size_t chunks() const { return store_.statistics().chunks; }

  EventStore store_{kKept, kChunk};
  uint64_t next_id_ = 0;
};

TEST_F(EventStoreTest, GivesAThreadAnEmptyChunk) {
  EventChunk* const chunk = store_.Open();
  EXPECT_EQ(chunk->head(), 0u);
  EXPECT_EQ(store_.statistics().open_chunks, 1u);
}

TEST_F(EventStoreTest, NumbersWhatLiesInAChunkThatIsHandedBack) {
  Append(store_.Open(), kChunk + 1);
  EXPECT_EQ(store_.statistics().appended, kChunk);
  const auto [begin, end] = store_.NumberAll();
  EXPECT_EQ(begin, 0u);
  EXPECT_EQ(end, kChunk + 1);
}

TEST_F(EventStoreTest, KeepsExactlyTheNewestRecords) {
  Append(store_.Open(), kKept + 7);
  EXPECT_THAT(Kept(), ElementsAre(7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22));
}

TEST_F(EventStoreTest, UsesChunksAgainOfWhichNothingIsKept) {
  EventChunk* chunk = Append(store_.Open(), 2 * kKept);
  const size_t before = chunks();
  Append(chunk, 1000 * kKept);
  EXPECT_LE(chunks(), before + 1);
  EXPECT_LE(chunks(), kKept / kChunk + 4);
}

// All on one thread: a writer that waited for the reader would wait for ever.
TEST_F(EventStoreTest, AReaderThatHoldsRecordsHoldsUpNoWriterAndKeepsThemAsTheyWere) {
  EventChunk* chunk = Append(store_.Open(), kKept);
  store_.NumberAll();
  std::vector<EventRun> pinned = store_.Pin(0, kKept);
  const std::vector<uint64_t> before = Ids(pinned);
  ASSERT_EQ(before.size(), kKept);
  Append(chunk, 100 * kKept);
  EXPECT_EQ(Ids(pinned), before);
  EXPECT_THAT(Kept(), Each(testing::Ge(100 * kKept)));
  store_.Unpin(std::move(pinned));
}

TEST_F(EventStoreTest, UsesAChunkAgainOnceNoReaderHoldsIt) {
  EventChunk* chunk = Append(store_.Open(), kKept);
  store_.NumberAll();
  for (int round = 0; round < 100; ++round) {
    std::vector<EventRun> first = store_.Pin(0, UINT64_MAX);
    std::vector<EventRun> second = store_.Pin(0, UINT64_MAX);
    chunk = Append(chunk, 2 * kKept);
    store_.Unpin(std::move(first));
    store_.Unpin(std::move(second));
  }
  EXPECT_LE(chunks(), kKept / kChunk + 4);
}

TEST_F(EventStoreTest, AThreadGoesOnInTheChunkOfOneThatEnded) {
  EventChunk* const chunk = Append(store_.Open(), 1);
  store_.Leave(chunk);
  EXPECT_EQ(store_.statistics().open_chunks, 0u);
  EXPECT_EQ(store_.statistics().appended, 1u);
  EXPECT_EQ(store_.Open(), chunk);
  Append(chunk, 2);
  EXPECT_THAT(Kept(), ElementsAre(0, 1, 2));
}

TEST_F(EventStoreTest, AnOpenChunkIsFilledOnThoughItsFirstRecordsAreKeptNoMore) {
  EventChunk* const slow = Append(store_.Open(), 1);
  store_.NumberAll();
  Append(store_.Open(), 10 * kKept);
  Append(slow, 1);
  EXPECT_EQ(slow->head(), 2u);
  EXPECT_THAT(Kept(), Contains(10 * kKept + 1));
}

TEST_F(EventStoreTest, WhatIsRareIsNumberedInItsTurnThoughNobodyReads) {
  Append(store_.Open(), 1);
  Append(store_.Open(), 3 * kChunk + 1);
  EXPECT_EQ(store_.statistics().appended, 3 * kChunk + 1);
  EXPECT_THAT(Kept(), Contains(0u));
  Append(store_.Open(), 10 * kKept);
  EXPECT_THAT(Kept(), Not(Contains(0u)));
}

TEST_F(EventStoreTest, NobodyGoesOnInAFullChunkThatWasLeft) {
  EventChunk* const full = Append(store_.Open(), kChunk);
  store_.Leave(full);
  EXPECT_NE(store_.Open(), full);
  EXPECT_EQ(Kept().size(), kChunk);
}

TEST_F(EventStoreTest, GivesChunksBackToTheSystemWhenThreadsBecomeFewer) {
  std::vector<EventChunk*> open;
  for (int i = 0; i < 100; ++i) open.push_back(Append(store_.Open(), 1));
  EXPECT_EQ(chunks(), 100u);
  for (EventChunk* chunk : open) store_.Leave(chunk);
  Append(store_.Open(), 100 * kKept);
  EXPECT_LE(chunks(), kKept / kChunk + 4);
}

TEST_F(EventStoreTest, AnUnusedChunkIsUsedAgain) {
  EventChunk* const chunk = store_.Open();
  store_.Leave(chunk);
  EXPECT_EQ(store_.Open(), chunk);
}

}  // namespace
}  // namespace workbench
