// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "events/event_chunk.h"

#include <gtest/gtest.h>

#include <thread>

namespace workbench {
namespace {

Event WithId(uint64_t id) {
  Event event;
  event.id = id;
  return event;
}

TEST(EventChunkTest, KeepsRecordsInTheirOrder) {
  EventChunk chunk(8);
  for (uint64_t id = 0; id < 5; ++id) chunk.Append(WithId(id));
  ASSERT_EQ(chunk.head(), 5u);
  for (uint64_t id = 0; id < 5; ++id) EXPECT_EQ(chunk.records()[id].id, id);
}

TEST(EventChunkTest, IsFullOnceItHoldsItsCapacity) {
  EventChunk chunk(3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(chunk.is_full());
    chunk.Append(Event());
  }
  EXPECT_TRUE(chunk.is_full());
}

TEST(EventChunkTest, TakesRecordsAgainOnceItIsCleared) {
  EventChunk chunk(1);
  chunk.Append(WithId(1));
  chunk.set_numbered(1);
  chunk.Clear();
  EXPECT_EQ(chunk.head(), 0u);
  EXPECT_EQ(chunk.numbered(), 0u);
  chunk.Append(WithId(2));
  EXPECT_EQ(chunk.records()[0].id, 2u);
}

TEST(EventChunkTest, HoldsWhatIsBelowItsHeadWhileAThreadAppends) {
  constexpr size_t kEvents = 100'000;
  EventChunk chunk(kEvents);
  std::thread writer([&] {
    for (uint64_t id = 0; id < kEvents; ++id) chunk.Append(WithId(id));
  });
  bool is_in_order = true;
  for (size_t seen = 0; seen < kEvents;) {
    for (const size_t head = chunk.head(); seen < head; ++seen)
      is_in_order &= chunk.records()[seen].id == seen;
  }
  writer.join();
  EXPECT_TRUE(is_in_order);
}

}  // namespace
}  // namespace workbench
