// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The resources of a server's host memory have no memory for their books, at each point one after the other:
// they say so, lose no byte, and hand out afterwards what they did before.
#include <gtest/gtest.h>

#include "base/patience.h"
#include "memory/fallback_resource.h"
#include "memory/limiting_resource.h"
#include "memory/pool_resource.h"
#include "memory/system_resource.h"
#include "memory/tracking_resource.h"
#include "testing/failing_new.h"
#include "testing/fake_clock.h"

namespace workbench {
namespace {

constexpr size_t kKiB = 1024;
constexpr size_t kLimit = 256 * kKiB;

class DeafSink final : public EventSink {
 public:
  void Append(const Event& event) override {}
};

class OutOfMemoryTest : public testing::Test {
 protected:
  struct Block {
    void* bytes;
    size_t byte_size;
    size_t alignment;
  };

  // Small and large ones, aligned and not, some beyond the limit; freed out of order. Returns how many were
  // had.
  int UseMemory() {
    live_.clear();
    for (const size_t byte_size : {100, 5'000, 70'000, 300, 90'000, 100'000, 64, 130'000}) {
      const size_t alignment = byte_size == 300 ? 512 : kDefaultAlignment;
      const Result<void*> bytes = fallback_->Allocate(byte_size, alignment);
      if (bytes.ok()) live_.push_back({bytes.value(), byte_size, alignment});
    }
    for (size_t step : {2, 1}) {
      for (size_t i = 0; i < live_.size(); i += step) Free(&live_[i]);
    }
    return static_cast<int>(live_.size());
  }
  void Free(Block* block) {
    if (block->bytes == nullptr) return;
    fallback_->Deallocate(block->bytes, block->byte_size, block->alignment);
    block->bytes = nullptr;
  }

  OutOfMemoryTest() { Patience::Install(); }

  FakeClock clock_;
  DeafSink sink_;
  MemoryEvents events_{0, sink_, clock_};
  std::unique_ptr<SystemResource> system_ = SystemResource::Create();
  std::unique_ptr<LimitingResource> limit_ = LimitingResource::Create({kLimit}, *system_);
  std::unique_ptr<PoolResource> pool_ = PoolResource::Create({64 * kKiB, 128 * kKiB}, *limit_, events_);
  std::unique_ptr<TrackingResource> tracked_ = TrackingResource::Create(*pool_, events_);
  std::unique_ptr<FallbackResource> fallback_ = FallbackResource::Create(*tracked_, *system_, events_);
  std::vector<Block> live_;
};

TEST_F(OutOfMemoryTest, LosesNothingAtAnyPoint) {
  live_.reserve(16);
  int64_t point = 0;
  for (bool has_failed = true; has_failed; ++point) {
    pool_->Trim();
    new_failures.Arm(point, 2);
    UseMemory();
    has_failed = new_failures.Disarm();
    EXPECT_EQ(tracked_->statistics().live_byte_size, 0u) << "point " << point;
    pool_->Trim();
    EXPECT_EQ(pool_->statistics().reserved_byte_size, 0u) << "point " << point;
    EXPECT_EQ(pool_->statistics().live_byte_size, 0u) << "point " << point;
    EXPECT_EQ(UseMemory(), 8) << "point " << point;
  }
  EXPECT_GT(point, 20);
}

}  // namespace
}  // namespace workbench
