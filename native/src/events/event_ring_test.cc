// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_ring.h"

#include <gtest/gtest.h>

#include <thread>

namespace workbench {
namespace {

Event WithId(uint64_t id) {
  Event event;
  event.id = id;
  return event;
}

class EventRingTest : public testing::Test {
 protected:
  void Push(size_t count) {
    for (size_t i = 0; i < count; ++i) ring_.Push(WithId(next_id_++));
  }
  std::vector<uint64_t> Drain() {
    std::vector<uint64_t> ids;
    ring_.Drain([&](const Event* events, size_t count) {
      for (size_t i = 0; i < count; ++i) ids.push_back(events[i].id);
    });
    return ids;
  }
  static std::vector<uint64_t> Range(uint64_t begin, uint64_t end) {
    std::vector<uint64_t> ids;
    for (uint64_t id = begin; id < end; ++id) ids.push_back(id);
    return ids;
  }
  static constexpr size_t kFirst = 8;
  static constexpr size_t kMax = 32;

  EventSegmentPool pool_{kFirst, 1 << 20};
  EventRing ring_{kMax, &pool_};
  uint64_t next_id_ = 0;
};

TEST_F(EventRingTest, GivesBackWhatWasPushedInOrder) {
  Push(5);
  EXPECT_EQ(Drain(), Range(0, 5));
  EXPECT_TRUE(Drain().empty());
}

TEST_F(EventRingTest, AsksForGatheringWhenHalfFull) {
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(ring_.Push(WithId(i)));
  EXPECT_TRUE(ring_.Push(WithId(4)));
  Drain();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(ring_.Push(WithId(i))) << "gathered meanwhile";
}

TEST_F(EventRingTest, NeverGrowsWhileItIsGathered) {
  for (int i = 0; i < 1000; ++i) {
    Push(kFirst);
    Drain();
  }
  EXPECT_EQ(pool_.taken_byte_size(), kFirst * sizeof(Event));
  EXPECT_EQ(ring_.TakeDropped(), 0u);
}

TEST_F(EventRingTest, GrowsUpToItsLimitThenCountsWhatIsLost) {
  Push(kFirst + 16 + kMax + 7);
  EXPECT_EQ(ring_.TakeDropped(), 7u);
  EXPECT_EQ(ring_.TakeDropped(), 0u);
  EXPECT_EQ(Drain(), Range(0, kFirst + 16 + kMax));
}

TEST_F(EventRingTest, HandsTheSmallerSegmentsBackOnceGathered) {
  Push(kFirst + 16 + 1);
  Drain();
  EXPECT_EQ(pool_.taken_byte_size(), kMax * sizeof(Event));
}

TEST_F(EventRingTest, TakesEventsAgainOnceRoomWasMade) {
  Push(1000);
  Drain();
  ring_.TakeDropped();
  Push(kMax);
  EXPECT_EQ(ring_.TakeDropped(), 0u);
  EXPECT_EQ(Drain(), Range(1000, 1000 + kMax));
}

TEST(EventSegmentPoolTest, LetsNoRingGrowBeyondTheLimitOfAll) {
  EventSegmentPool pool(8, 40 * sizeof(Event));
  EventRing first(64, &pool);
  EventRing second(64, &pool);
  for (int i = 0; i < 24; ++i) first.Push(Event());
  for (int i = 0; i < 24; ++i) second.Push(Event());
  EXPECT_EQ(first.TakeDropped(), 0u);
  EXPECT_EQ(second.TakeDropped(), 16u);
}

TEST(EventSegmentPoolTest, GivesTheFirstSegmentEvenBeyondTheLimit) {
  EventSegmentPool pool(8, 0);
  EXPECT_NE(pool.Take(8), nullptr);
  EXPECT_EQ(pool.Take(16), nullptr);
}

TEST(EventSegmentPoolTest, UsesAReturnedSegmentAgain) {
  EventSegmentPool pool(8, 0);
  auto segment = pool.Take(8);
  EventSegment* const address = segment.get();
  segment->head.store(3);
  pool.Return(std::move(segment));
  EXPECT_EQ(pool.taken_byte_size(), 0u);
  auto again = pool.Take(8);
  EXPECT_EQ(again.get(), address);
  EXPECT_EQ(again->head.load(), 0u);
}

TEST(EventRingThreadTest, DeliversEachEventOnceWhileItGrows) {
  EventSegmentPool pool(4, size_t{64} << 20);
  EventRing ring(1 << 20, &pool);
  constexpr uint64_t kEvents = 100'000;
  std::thread writer([&] {
    for (uint64_t id = 0; id < kEvents; ++id) ring.Push(WithId(id));
  });
  uint64_t expected = 0;
  bool is_in_order = true;
  while (expected < kEvents) {
    ring.Drain([&](const Event* events, size_t count) {
      for (size_t i = 0; i < count; ++i) is_in_order &= events[i].id == expected++;
    });
  }
  writer.join();
  EXPECT_TRUE(is_in_order);
  EXPECT_EQ(ring.TakeDropped(), 0u);
}

}  // namespace
}  // namespace workbench
