// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/limiting_resource.h"

#include <gmock/gmock.h>

#include "memory/memory_resource_contract.h"
#include "testing/counting_resource.h"

namespace workbench {
namespace {

using testing::HasSubstr;

struct LimitingSubject {
  MemoryResource& resource() { return *limiting; }
  CountingResource upstream;
  std::unique_ptr<LimitingResource> limiting = LimitingResource::Create({64 << 20}, upstream);
};
INSTANTIATE_TYPED_TEST_SUITE_P(Limiting, MemoryResourceContract, LimitingSubject);

class LimitingResourceTest : public testing::Test {
 protected:
  CountingResource upstream_;
  std::unique_ptr<LimitingResource> limiting_ = LimitingResource::Create({1000}, upstream_);
};

TEST_F(LimitingResourceTest, RefusesWhatPassesTheLimitAndSaysTheFigures) {
  void* bytes = limiting_->Allocate(600).value();
  const Status status = limiting_->Allocate(401).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("401"));
  EXPECT_THAT(status.message(), HasSubstr("600"));
  EXPECT_THAT(status.message(), HasSubstr("1000"));
  limiting_->Deallocate(bytes, 600);
}

TEST_F(LimitingResourceTest, ReachesTheLimitExactly) {
  void* first = limiting_->Allocate(600).value();
  void* second = limiting_->Allocate(400).value();
  EXPECT_EQ(limiting_->live_byte_size(), 1000u);
  limiting_->Deallocate(first, 600);
  limiting_->Deallocate(second, 400);
  EXPECT_EQ(limiting_->live_byte_size(), 0u);
}

TEST_F(LimitingResourceTest, ChargesNothingForAFailureBehindIt) {
  upstream_.SetExhausted(true);
  EXPECT_FALSE(limiting_->Allocate(100).ok());
  EXPECT_EQ(limiting_->live_byte_size(), 0u);
}

TEST_F(LimitingResourceTest, KeepsTheLimitAgainstManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<size_t> largest{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) {
        Result<void*> bytes = limiting_->Allocate(300);
        const size_t live = upstream_.live_byte_size();
        for (size_t seen = largest; live > seen && !largest.compare_exchange_weak(seen, live);) {
        }
        if (bytes.ok()) limiting_->Deallocate(*bytes, 300);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(largest, 1000u);
  EXPECT_EQ(limiting_->live_byte_size(), 0u);
}

}  // namespace
}  // namespace workbench
