// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/fallback_resource.h"

#include <gmock/gmock.h>

#include "memory/memory_owner.h"
#include "memory/memory_resource_contract.h"
#include "memory/system_resource.h"
#include "testing/counting_resource.h"
#include "testing/fake_clock.h"
#include "testing/recording_sink.h"

namespace workbench {
namespace {

using testing::HasSubstr;

class FallbackResourceTest : public testing::Test {
 protected:
  CountingResource first_{{MemoryType::kCpuPinned, 0}};
  CountingResource second_;
  FakeClock clock_;
  RecordingSink sink_;
  MemoryEvents events_{2, sink_, clock_};
  std::unique_ptr<FallbackResource> fallback_ = FallbackResource::Create(first_, second_, events_);
};

// Half of what the contract asks for comes from either side.
struct FallbackSubject {
  MemoryResource& resource() {
    first.SetExhausted(turn++ % 2 == 0);
    return *fallback;
  }
  std::atomic<int> turn{0};
  CountingResource first;
  std::unique_ptr<SystemResource> second = SystemResource::Create();
  FakeClock clock;
  RecordingSink sink;
  MemoryEvents events{0, sink, clock};
  std::unique_ptr<FallbackResource> fallback = FallbackResource::Create(first, *second, events);
};
INSTANTIATE_TYPED_TEST_SUITE_P(Fallback, MemoryResourceContract, FallbackSubject);

TEST_F(FallbackResourceTest, AsksTheFirstAsLongAsItHasBytes) {
  void* bytes = fallback_->Allocate(100).value();
  EXPECT_EQ(first_.live_count(), 1u);
  EXPECT_EQ(fallback_->PlaceOf(bytes).type, MemoryType::kCpuPinned);
  fallback_->Deallocate(bytes, 100);
  EXPECT_EQ(fallback_->fallbacks(), 0u);
  EXPECT_TRUE(sink_.events().empty());
}

TEST_F(FallbackResourceTest, AsksTheSecondWhenTheFirstIsExhaustedAndTellsIt) {
  first_.SetExhausted(true);
  ScopedMemoryOwner owner(9);
  void* bytes = fallback_->Allocate(100).value();
  EXPECT_EQ(second_.live_count(), 1u);
  EXPECT_EQ(fallback_->PlaceOf(bytes).type, MemoryType::kCpu);
  ASSERT_EQ(sink_.events().size(), 1u);
  const Event event = sink_.events()[0];
  EXPECT_EQ(event.kind, EventKind::kFallback);
  EXPECT_EQ(event.model, 9u);
  EXPECT_EQ(event.instance, 2u);
  EXPECT_EQ(event.start_ns, 100u);
  fallback_->Deallocate(bytes, 100);
}

TEST_F(FallbackResourceTest, GivesEachItsOwnBytesBack) {
  void* from_first = fallback_->Allocate(1).value();
  first_.SetExhausted(true);
  void* from_second = fallback_->Allocate(2).value();
  fallback_->Deallocate(from_first, 1);
  fallback_->Deallocate(from_second, 2);
  EXPECT_EQ(first_.live_count() + second_.live_count(), 0u);
  EXPECT_EQ(first_.mistakes() + second_.mistakes(), 0u);
}

TEST_F(FallbackResourceTest, GivesBothReasonsWhenBothFail) {
  auto system = SystemResource::Create();
  auto fallback = FallbackResource::Create(first_, *system, events_);
  first_.SetExhausted(true);
  const Status status = fallback->Allocate(SIZE_MAX).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("exhausted"));
  EXPECT_THAT(status.message(), HasSubstr("the machine has no"));
}

}  // namespace
}  // namespace workbench
