// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/pool_resource.h"

#include <gmock/gmock.h>

#include "memory/limiting_resource.h"
#include "memory/memory_resource_contract.h"
#include "testing/counting_resource.h"
#include "testing/fake_clock.h"
#include "testing/recording_sink.h"

namespace workbench {
namespace {

constexpr size_t kKiB = 1024;

struct PoolSubject {
  MemoryResource& resource() { return *pool; }
  CountingResource upstream;
  std::unique_ptr<LimitingResource> limit = LimitingResource::Create({256 << 20}, upstream);
  FakeClock clock;
  RecordingSink sink;
  MemoryEvents events{0, sink, clock};
  std::unique_ptr<PoolResource> pool = PoolResource::Create({64 * kKiB, 1 << 20}, *limit, events);
};
INSTANTIATE_TYPED_TEST_SUITE_P(Pool, MemoryResourceContract, PoolSubject);

class PoolResourceTest : public testing::Test {
 protected:
  static constexpr size_t kLimit = 1024 * kKiB;

  void* Allocate(size_t byte_size) {
    Result<void*> bytes = pool_->Allocate(byte_size);
    if (!bytes.ok()) ADD_FAILURE() << bytes.status().message();
    return bytes.ok() ? *bytes : nullptr;
  }
  size_t reserved() { return pool_->statistics().reserved_byte_size; }

  CountingResource upstream_;
  std::unique_ptr<LimitingResource> limit_ = LimitingResource::Create({kLimit}, upstream_);
  FakeClock clock_;
  RecordingSink sink_;
  MemoryEvents events_{5, sink_, clock_};
  std::unique_ptr<PoolResource> pool_ = PoolResource::Create({64 * kKiB, 256 * kKiB}, *limit_, events_);
};

TEST_F(PoolResourceTest, ReservesNothingUntilAsked) { EXPECT_EQ(reserved(), 0u); }

TEST_F(PoolResourceTest, ServesManyAllocationsFromOneSlab) {
  std::vector<void*> live;
  for (int i = 0; i < 64; ++i) live.push_back(Allocate(1000));
  EXPECT_EQ(upstream_.allocations(), 1u);
  for (void* bytes : live) pool_->Deallocate(bytes, 1000);
  EXPECT_EQ(reserved(), 64 * kKiB) << "a slab stays until it is trimmed";
}

TEST_F(PoolResourceTest, HandsAFreedBlockToTheNextOfItsSize) {
  void* first = Allocate(1000);
  pool_->Deallocate(first, 1000);
  void* second = Allocate(990);
  EXPECT_EQ(second, first);
  pool_->Deallocate(second, 990);
}

TEST_F(PoolResourceTest, JoinsSmallBlocksRatherThanGrow) {
  std::vector<void*> live;
  for (int i = 0; i < 64; ++i) live.push_back(Allocate(1024));
  for (void* bytes : live) pool_->Deallocate(bytes, 1024);
  void* large = Allocate(64 * kKiB);
  EXPECT_EQ(upstream_.allocations(), 1u);
  pool_->Deallocate(large, 64 * kKiB);
}

TEST_F(PoolResourceTest, DoublesWithEachSlabUpToTheLargest) {
  std::vector<void*> live;
  for (int i = 0; i < 8; ++i) live.push_back(Allocate(64 * kKiB));
  std::vector<size_t> sizes;
  for (const Event& event : sink_.OfKind(EventKind::kPoolGrown)) sizes.push_back(event.start_ns / kKiB);
  EXPECT_THAT(sizes, testing::ElementsAre(64, 64, 128, 256));
  for (void* bytes : live) pool_->Deallocate(bytes, 64 * kKiB);
}

TEST_F(PoolResourceTest, TellsItsGrowthWithTheFigures) {
  void* bytes = Allocate(100);
  const auto grown = sink_.OfKind(EventKind::kPoolGrown);
  ASSERT_EQ(grown.size(), 1u);
  EXPECT_EQ(grown[0].instance, 5u);
  EXPECT_EQ(grown[0].start_ns, 64 * kKiB);
  EXPECT_EQ(grown[0].end_ns, 64 * kKiB);
  pool_->Deallocate(bytes, 100);
}

TEST_F(PoolResourceTest, TakesASmallerSlabWhereALargeOneIsRefused) {
  void* most = Allocate(kLimit - 8 * kKiB);
  void* rest = Allocate(4 * kKiB);
  EXPECT_LE(reserved(), kLimit);
  pool_->Deallocate(most, kLimit - 8 * kKiB);
  pool_->Deallocate(rest, 4 * kKiB);
}

TEST_F(PoolResourceTest, ServesARequestOfExactlyTheLimit) {
  void* all = Allocate(kLimit);
  EXPECT_EQ(pool_->Allocate(1).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(pool_->statistics().failures, 1u);
  pool_->Deallocate(all, kLimit);
}

TEST_F(PoolResourceTest, GivesFreeSlabsUpWhenALargerOneIsNeeded) {
  void* small = Allocate(64 * kKiB);
  pool_->Deallocate(small, 64 * kKiB);
  void* all = Allocate(kLimit);
  EXPECT_EQ(pool_->statistics().slab_count, 1u);
  EXPECT_EQ(sink_.OfKind(EventKind::kPoolShrunk).size(), 1u);
  pool_->Deallocate(all, kLimit);
}

TEST_F(PoolResourceTest, TrimsSlabsWithoutALiveBlock) {
  void* first = Allocate(64 * kKiB);
  void* second = Allocate(64 * kKiB);
  pool_->Deallocate(first, 64 * kKiB);
  EXPECT_EQ(pool_->Trim(), 64 * kKiB);
  EXPECT_EQ(reserved(), 64 * kKiB);
  pool_->Deallocate(second, 64 * kKiB);
  pool_->Trim();
  EXPECT_EQ(upstream_.live_count(), 0u);
}

TEST_F(PoolResourceTest, GivesEverySlabBackWhenItGoes) {
  pool_->Deallocate(Allocate(100), 100);
  pool_.reset();
  EXPECT_EQ(upstream_.live_count(), 0u);
  EXPECT_EQ(upstream_.mistakes(), 0u);
}

TEST_F(PoolResourceTest, CountsWhatIsLiveAndThePeak) {
  void* first = Allocate(1000);
  void* second = Allocate(300);
  pool_->Deallocate(first, 1000);
  const auto statistics = pool_->statistics();
  EXPECT_EQ(statistics.live_byte_size, 300u);
  EXPECT_EQ(statistics.used_byte_size, 320u);
  EXPECT_EQ(statistics.peak_live_byte_size, 1300u);
  EXPECT_EQ(statistics.allocations, 2u);
  pool_->Deallocate(second, 300);
}

TEST_F(PoolResourceTest, MapsEveryBlock) {
  void* first = Allocate(64);
  void* second = Allocate(64);
  void* third = Allocate(64);
  pool_->Deallocate(second, 64);
  const auto blocks = pool_->Blocks();
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].address, reinterpret_cast<uintptr_t>(first));
  EXPECT_FALSE(blocks[0].is_free);
  EXPECT_TRUE(blocks[1].is_free);
  EXPECT_FALSE(blocks[2].is_free);
  EXPECT_EQ(blocks[3].byte_size, 64 * kKiB - 192);
  EXPECT_NEAR(Fragmentation(blocks), 64.0 / (64 * kKiB - 128), 1e-9);
  pool_->Deallocate(first, 64);
  pool_->Deallocate(third, 64);
  EXPECT_EQ(pool_->Blocks().size(), 1u);
  EXPECT_EQ(Fragmentation(pool_->Blocks()), 0.0);
}

TEST_F(PoolResourceTest, GrowsOnceForThreadsThatNeedItAtTheSameTime) {
  std::vector<std::thread> threads;
  std::vector<void*> bytes(8);
  for (void*& mine : bytes) threads.emplace_back([&] { mine = pool_->Allocate(4 * kKiB).value(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(upstream_.allocations(), 1u);
  for (void* mine : bytes) pool_->Deallocate(mine, 4 * kKiB);
}

}  // namespace
}  // namespace workbench
