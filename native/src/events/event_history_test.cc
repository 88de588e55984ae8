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
  void Append(std::initializer_list<uint64_t> ids) {
    for (uint64_t id : ids) {
      Event event;
      event.id = id;
      history_.Append(&event, 1);
    }
  }
  std::vector<uint64_t> Read(uint64_t since, size_t limit = 100) {
    std::vector<Event> events;
    next_ = history_.Read(since, limit, &events);
    std::vector<uint64_t> ids;
    for (const Event& event : events) ids.push_back(event.id);
    return ids;
  }

  EventHistory history_{4};
  uint64_t next_ = 0;
};

TEST_F(EventHistoryTest, IsEmptyAtFirst) {
  EXPECT_THAT(Read(0), ElementsAre());
  EXPECT_EQ(next_, 0u);
}

TEST_F(EventHistoryTest, GivesRecordsFromTheNumberAskedFor) {
  Append({10, 11, 12});
  EXPECT_THAT(Read(1), ElementsAre(11, 12));
  EXPECT_EQ(next_, 3u);
}

TEST_F(EventHistoryTest, GivesNoMoreThanTheLimit) {
  Append({10, 11, 12});
  EXPECT_THAT(Read(0, 2), ElementsAre(10, 11));
  EXPECT_EQ(next_, 2u);
}

TEST_F(EventHistoryTest, KeepsTheNewestRecords) {
  Append({10, 11, 12, 13, 14, 15});
  EXPECT_THAT(Read(0), ElementsAre(12, 13, 14, 15));
  EXPECT_EQ(next_, 6u);
}

TEST_F(EventHistoryTest, KeepsTheNewestOfARunLongerThanItself) {
  std::vector<Event> run(11);
  for (size_t i = 0; i < run.size(); ++i) run[i].id = i;
  history_.Append(run.data(), run.size());
  EXPECT_THAT(Read(0), ElementsAre(7, 8, 9, 10));
}

TEST_F(EventHistoryTest, NumbersLostEventsToo) {
  Append({10});
  history_.Skip(5);
  Append({11});
  EXPECT_EQ(history_.end(), 7u);
  EXPECT_THAT(Read(0), ElementsAre(10, 11));
  EXPECT_THAT(Read(1), ElementsAre(11));
  EXPECT_THAT(Read(4), ElementsAre(11)) << "a number inside the gap";
  EXPECT_THAT(Read(6), ElementsAre(11));
  EXPECT_THAT(Read(7), ElementsAre());
}

TEST_F(EventHistoryTest, GoesOnBehindTheLastRecordThatTheLimitLetThrough) {
  Append({10});
  history_.Skip(5);
  Append({11});
  EXPECT_THAT(Read(0, 1), ElementsAre(10));
  EXPECT_EQ(next_, 1u);
  EXPECT_THAT(Read(next_, 1), ElementsAre(11));
  EXPECT_EQ(next_, 7u);
}

TEST_F(EventHistoryTest, JoinsGapsThatFollowEachOther) {
  history_.Skip(2);
  history_.Skip(3);
  Append({10});
  EXPECT_THAT(Read(0), ElementsAre(10));
  EXPECT_EQ(next_, 6u);
}

TEST_F(EventHistoryTest, KeepsNumbersRightAfterGapsWereOverwritten) {
  for (uint64_t id = 0; id < 20; ++id) {
    Append({id});
    history_.Skip(1);
  }
  EXPECT_EQ(history_.end(), 40u);
  EXPECT_THAT(Read(0), ElementsAre(16, 17, 18, 19));
  EXPECT_EQ(next_, 40u);
  EXPECT_THAT(Read(36), ElementsAre(18, 19));
}

}  // namespace
}  // namespace workbench
