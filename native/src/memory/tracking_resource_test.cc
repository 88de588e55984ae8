// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/tracking_resource.h"

#include <gmock/gmock.h>

#include <thread>

#include "memory/memory_owner.h"
#include "memory/memory_resource_contract.h"
#include "memory/system_resource.h"
#include "testing/counting_resource.h"
#include "testing/fake_clock.h"
#include "testing/recording_sink.h"

namespace workbench {
namespace {

using testing::ElementsAre;

struct TrackingSubject {
  MemoryResource& resource() { return *tracking; }
  std::unique_ptr<SystemResource> upstream = SystemResource::Create();
  FakeClock clock;
  RecordingSink sink;
  MemoryEvents events{0, sink, clock};
  std::unique_ptr<TrackingResource> tracking = TrackingResource::Create(*upstream, events);
};
INSTANTIATE_TYPED_TEST_SUITE_P(Tracking, MemoryResourceContract, TrackingSubject);

class TrackingResourceTest : public testing::Test {
 protected:
  void* AllocateFor(uint16_t owner, size_t byte_size) {
    ScopedMemoryOwner scope(owner);
    return tracking_->Allocate(byte_size).value();
  }
  CountingResource upstream_;
  FakeClock clock_{5000};
  RecordingSink sink_;
  MemoryEvents events_{3, sink_, clock_};
  std::unique_ptr<TrackingResource> tracking_ = TrackingResource::Create(upstream_, events_);
};

TEST_F(TrackingResourceTest, TellsAllocationAndFree) {
  void* bytes = AllocateFor(7, 100);
  clock_.Advance(10);
  tracking_->Deallocate(bytes, 100);
  const auto events = sink_.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kAllocated);
  EXPECT_EQ(events[0].arrival_ns, 5000u);
  EXPECT_EQ(events[0].start_ns, 100u);
  EXPECT_EQ(events[0].compute_start_ns, reinterpret_cast<uintptr_t>(bytes));
  EXPECT_EQ(events[0].compute_end_ns, 100u);
  EXPECT_EQ(events[0].end_ns, 100u);
  EXPECT_EQ(events[0].model, 7u);
  EXPECT_EQ(events[0].instance, 3u);
  EXPECT_EQ(events[1].kind, EventKind::kFreed);
  EXPECT_EQ(events[1].arrival_ns, 5010u);
  EXPECT_EQ(events[1].compute_end_ns, 0u);
}

TEST_F(TrackingResourceTest, KnowsTheOwnerOfBytesThatAnotherThreadFrees) {
  void* bytes = AllocateFor(7, 100);
  std::thread([&] { tracking_->Deallocate(bytes, 100); }).join();
  EXPECT_EQ(sink_.OfKind(EventKind::kFreed).at(0).model, 7u);
}

TEST_F(TrackingResourceTest, SumsTheLiveBytesOfEachOwner) {
  void* first = AllocateFor(1, 100);
  void* second = AllocateFor(3, 50);
  EXPECT_THAT(tracking_->LiveByteSizes(), ElementsAre(0, 100, 0, 50));
  tracking_->Deallocate(first, 100);
  EXPECT_THAT(tracking_->LiveByteSizes(), ElementsAre(0, 0, 0, 50));
  tracking_->Deallocate(second, 50);
}

TEST_F(TrackingResourceTest, KeepsThePeak) {
  void* bytes = AllocateFor(1, 100);
  tracking_->Deallocate(bytes, 100);
  void* less = AllocateFor(1, 10);
  const auto statistics = tracking_->statistics();
  EXPECT_EQ(statistics.live_byte_size, 10u);
  EXPECT_EQ(statistics.peak_byte_size, 100u);
  EXPECT_EQ(statistics.live_count, 1u);
  EXPECT_EQ(statistics.allocations, 2u);
  tracking_->Deallocate(less, 10);
}

TEST_F(TrackingResourceTest, TellsAFailureWithItsReason) {
  upstream_.SetExhausted(true);
  ScopedMemoryOwner scope(4);
  EXPECT_FALSE(tracking_->Allocate(100).ok());
  const auto failed = sink_.OfKind(EventKind::kAllocationFailed);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].model, 4u);
  EXPECT_EQ(failed[0].start_ns, 100u);
  EXPECT_EQ(failed[0].status, static_cast<uint8_t>(StatusCode::kUnavailable));
  EXPECT_EQ(tracking_->statistics().failures, 1u);
}

TEST_F(TrackingResourceTest, FillsInTheOwnersOfBlocks) {
  void* bytes = AllocateFor(7, 100);
  std::vector<MemoryBlock> blocks(2);
  blocks[0].address = reinterpret_cast<uintptr_t>(bytes);
  blocks[1].address = blocks[0].address + 128;
  tracking_->FillOwners(&blocks);
  EXPECT_EQ(blocks[0].owner.model, 7u);
  EXPECT_EQ(blocks[1].owner.model, 0u);
  tracking_->Deallocate(bytes, 100);
}

TEST(ScopedMemoryOwnerTest, RestoresTheOwnerBefore) {
  EXPECT_EQ(ScopedMemoryOwner::Current().model, 0u);
  ScopedMemoryOwner outer(1);
  {
    ScopedMemoryOwner inner(2);
    EXPECT_EQ(ScopedMemoryOwner::Current().model, 2u);
  }
  EXPECT_EQ(ScopedMemoryOwner::Current().model, 1u);
}

}  // namespace
}  // namespace workbench
