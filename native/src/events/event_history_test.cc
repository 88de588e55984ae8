// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

using testing::ElementsAre;

class EventHistoryTest : public testing::Test {
 protected:
  using Chunk = std::shared_ptr<EventChunk>;

  static Chunk NewChunk() { return std::make_shared<EventChunk>(100); }
  static void Put(const Chunk& chunk, std::initializer_list<uint64_t> ids) {
    for (uint64_t id : ids) {
      Event event;
      event.id = id;
      chunk->Append(event);
    }
  }
  void Append(const Chunk& chunk, std::initializer_list<uint64_t> ids) {
    Put(chunk, ids);
    history_.Append(chunk);
  }
  void Append(std::initializer_list<uint64_t> ids) { Append(chunk_, ids); }
  std::vector<uint64_t> Find(uint64_t first, uint64_t last = UINT64_MAX) {
    std::vector<uint64_t> ids;
    for (const EventRun& run : history_.Find(first, last)) {
      for (const Event& event : run) ids.push_back(event.id);
    }
    return ids;
  }

  EventHistory history_{4};
  const Chunk chunk_ = NewChunk();
};

TEST_F(EventHistoryTest, IsEmptyAtFirst) {
  EXPECT_THAT(Find(0), ElementsAre());
  EXPECT_EQ(history_.end(), 0u);
}

TEST_F(EventHistoryTest, GivesRecordsFromTheNumberAskedFor) {
  Append({10, 11, 12});
  EXPECT_THAT(Find(1), ElementsAre(11, 12));
  EXPECT_EQ(history_.end(), 3u);
}

TEST_F(EventHistoryTest, GivesNoneFromTheLastNumberOn) {
  Append({10, 11, 12});
  EXPECT_THAT(Find(0, 2), ElementsAre(10, 11));
  EXPECT_THAT(Find(2, 2), ElementsAre());
  EXPECT_THAT(Find(3), ElementsAre());
}

TEST_F(EventHistoryTest, KeepsTheNewestRecords) {
  Append({10, 11, 12, 13, 14, 15});
  EXPECT_THAT(Find(0), ElementsAre(12, 13, 14, 15));
  EXPECT_THAT(Find(0, 3), ElementsAre(12));
  EXPECT_EQ(history_.begin(), 2u);
  EXPECT_EQ(history_.end(), 6u);
}

TEST_F(EventHistoryTest, NumbersEachRecordOnce) {
  Append({10});
  history_.Append(chunk_);
  EXPECT_EQ(history_.end(), 1u);
}

TEST_F(EventHistoryTest, RecordsOfSeveralChunksFollowEachOtherAsTheyWereNumbered) {
  const Chunk other = NewChunk();
  Append({10});
  Append(other, {20, 21});
  Append({11});
  EXPECT_THAT(Find(0), ElementsAre(10, 20, 21, 11));
  EXPECT_THAT(Find(2, 4), ElementsAre(21, 11));
  EXPECT_EQ(history_.runs().size(), 3u);
}

TEST_F(EventHistoryTest, WhatGoesOnInAChunkIsOneRun) {
  Append({10});
  Append({11, 12});
  EXPECT_EQ(history_.runs().size(), 1u);
}

TEST_F(EventHistoryTest, GivesChunksBackOfWhichNoRecordIsKept) {
  const Chunk other = NewChunk();
  Append({10, 11});
  Append(other, {20, 21});
  EXPECT_EQ(history_.TakeExpired(), nullptr);
  Append(other, {22});
  EXPECT_EQ(history_.TakeExpired(), nullptr) << "its second record is kept";
  Append(other, {23});
  EXPECT_EQ(history_.TakeExpired(), chunk_);
  EXPECT_EQ(history_.TakeExpired(), nullptr);
  EXPECT_THAT(Find(0), ElementsAre(20, 21, 22, 23));
}

}  // namespace
}  // namespace workbench
