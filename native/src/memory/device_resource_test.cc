// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/device_resource.h"

#include <gmock/gmock.h>

#include "memory/fallback_resource.h"
#include "memory/limiting_resource.h"
#include "memory/memory_resource_contract.h"
#include "memory/pool_resource.h"
#include "memory/system_resource.h"
#include "memory/tracking_resource.h"
#include "testing/cuda_stand_in.h"
#include "testing/fake_clock.h"
#include "testing/recording_sink.h"

namespace workbench {
namespace {

using testing::HasSubstr;

class PooledPinnedSubject {
 public:
  MemoryResource& resource() { return *pool_; }

 private:
  CudaStandIn stand_in_;
  RecordingSink sink_;
  FakeClock clock_;
  MemoryEvents events_{2, sink_, clock_};
  PinnedResource pinned_{CudaDriver::Open(CudaStandIn::path()).value()};
  std::unique_ptr<PoolResource> pool_ = PoolResource::Create({}, pinned_, events_);
};
INSTANTIATE_TYPED_TEST_SUITE_P(PooledPinned, MemoryResourceContract, PooledPinnedSubject);

class DeviceResourceTest : public testing::Test {
 protected:
  static PoolResource::Options CudaPool() {
    PoolResource::Options options;
    options.alignment = 256;
    options.slab_alignment = 256;
    return options;
  }

  CudaStandIn stand_in_{{2, size_t{4} << 20, size_t{1} << 20, 0, ""}};
  std::shared_ptr<CudaDriver> driver_ = CudaDriver::Open(CudaStandIn::path()).value();
  RecordingSink sink_;
  FakeClock clock_;
  MemoryEvents cuda_events_{3, sink_, clock_};
  MemoryEvents pinned_events_{2, sink_, clock_};
  DeviceResource device_{driver_, 1};
  PinnedResource pinned_{driver_};
};

TEST_F(DeviceResourceTest, GivesBytesOfItsDeviceAndTakesThemBack) {
  void* const bytes = device_.Allocate(1000).value();
  EXPECT_EQ(stand_in_.live_byte_size(1), 1000u);
  EXPECT_EQ(device_.place().id, 1);
  device_.Deallocate(bytes, 1000);
  EXPECT_EQ(stand_in_.live_byte_size(1), 0u);
  EXPECT_EQ(stand_in_.violations(), 0);
}

TEST_F(DeviceResourceTest, APoolDealsOutADevicesMemoryWithoutTouchingIt) {
  {
    const auto pool = PoolResource::Create(CudaPool(), device_, cuda_events_);
    std::vector<void*> blocks;
    for (const size_t byte_size : {1, 100, 1000, 100'000, 300'000}) {
      blocks.push_back(pool->Allocate(byte_size).value());
      EXPECT_EQ(reinterpret_cast<uintptr_t>(blocks.back()) % 256, 0u);
    }
    void* const aligned = pool->Allocate(100, 4096).value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned) % 4096, 0u);
    pool->Deallocate(aligned, 100, 4096);
    pool->Deallocate(blocks[1], 100);
    EXPECT_EQ(pool->Allocate(100).value(), blocks[1]);  // kept for the next of its size
    EXPECT_EQ(pool->statistics().hits, pool->statistics().allocations - 1);
    EXPECT_EQ(stand_in_.calls("cuMemAlloc_v2"), 1);
    pool->Deallocate(blocks[0], 1);
    pool->Deallocate(blocks[1], 100);
    pool->Deallocate(blocks[2], 1000);
    pool->Deallocate(blocks[3], 100'000);
    pool->Deallocate(blocks[4], 300'000);
  }
  EXPECT_EQ(stand_in_.live_byte_size(1), 0u);
}

TEST_F(DeviceResourceTest, FallsFromTheDeviceToPageLockedToPageableMemory) {
  const auto cuda_limit = LimitingResource::Create({1000, "the pool of GPU 1"}, device_);
  const auto pinned_limit = LimitingResource::Create({2000, "the pinned pool"}, pinned_);
  const auto system = SystemResource::Create();
  const auto to_pageable = FallbackResource::Create(*pinned_limit, *system, pinned_events_);
  const auto to_pinned = FallbackResource::Create(*cuda_limit, *to_pageable, cuda_events_);

  struct Given {
    void* bytes;
    MemoryType type;
  };
  std::vector<Given> given;
  for (const MemoryType type :
       {MemoryType::kGpu, MemoryType::kCpuPinned, MemoryType::kCpuPinned, MemoryType::kCpu}) {
    given.push_back({to_pinned->Allocate(900).value(), type});
    EXPECT_EQ(to_pinned->PlaceOf(given.back().bytes).type, type);
  }
  const std::vector<Event> events = sink_.events();
  ASSERT_EQ(events.size(), 4u);  // one, one, and both
  for (const Event& event : events) EXPECT_EQ(event.kind, EventKind::kFallback);
  EXPECT_EQ(events[3].instance, 3);
  for (const Given& one : given) to_pinned->Deallocate(one.bytes, 900);
  EXPECT_EQ(stand_in_.live_byte_size(1) + stand_in_.live_byte_size(-1), 0u);
  EXPECT_EQ(stand_in_.violations(), 0);
}

TEST_F(DeviceResourceTest, AFullPoolSaysWhichAndHowFull) {
  const auto limited = LimitingResource::Create({1000, "the pool of GPU 1"}, device_);
  void* const bytes = limited->Allocate(600).value();
  EXPECT_THAT(
      limited->Allocate(500).status().message(),
      HasSubstr("the pool of GPU 1 is full: cannot allocate 500 bytes: 600 of the limit of 1000 are in use"));
  limited->Deallocate(bytes, 600);
}

TEST_F(DeviceResourceTest, WhatTheDeviceDoesNotHaveIsRefusedWithTheFigures) {
  const Status status = device_.Allocate(size_t{5} << 20).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("4194304 of 4194304 are free"));
  EXPECT_EQ(device_.Allocate(1, 4096).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace workbench
