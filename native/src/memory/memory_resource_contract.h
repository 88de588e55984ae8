// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The suite that every MemoryResource instantiates: INSTANTIATE_TYPED_TEST_SUITE_P(Pool,
// MemoryResourceContract, Subject), where Subject is default-constructible and has `MemoryResource&
// resource()` over memory that the CPU can write.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "memory/memory_resource.h"

namespace workbench {

// Allocates and frees at random; every live block is full of its own letter, which would betray an overlap.
class RandomUser {
 public:
  RandomUser(MemoryResource& resource, uint32_t seed) : resource_(resource), random_(seed) {}
  ~RandomUser() {
    while (!live_.empty()) FreeOne();
  }
  void Step() {
    if (live_.size() < 64 && random_() % 2 == 0) {
      AllocateOne();
    } else if (!live_.empty()) {
      FreeOne();
    }
  }
  bool is_intact() const { return is_intact_; }

 private:
  struct Block {
    unsigned char* bytes;
    size_t byte_size;
    size_t alignment;
    unsigned char letter;
  };

  void AllocateOne() {
    const size_t byte_size = random_() % (size_t{1} << random_() % 15);
    const size_t alignment = random_() % 8 == 0 ? 512 : kDefaultAlignment;
    Result<void*> bytes = resource_.Allocate(byte_size, alignment);
    if (!bytes.ok()) return;
    is_intact_ &= reinterpret_cast<uintptr_t>(*bytes) % alignment == 0;
    live_.push_back(
        {static_cast<unsigned char*>(*bytes), byte_size, alignment, static_cast<unsigned char>(random_())});
    std::memset(*bytes, live_.back().letter, byte_size);
  }
  void FreeOne() {
    std::swap(live_[random_() % live_.size()], live_.back());
    const Block block = live_.back();
    live_.pop_back();
    for (size_t i = 0; i < block.byte_size; ++i) is_intact_ &= block.bytes[i] == block.letter;
    resource_.Deallocate(block.bytes, block.byte_size, block.alignment);
  }

  MemoryResource& resource_;
  std::mt19937 random_;
  std::vector<Block> live_;
  bool is_intact_ = true;
};

template <typename Subject>
class MemoryResourceContract : public testing::Test {
 protected:
  MemoryResource& resource() { return subject_.resource(); }

 private:
  Subject subject_;
};
TYPED_TEST_SUITE_P(MemoryResourceContract);

TYPED_TEST_P(MemoryResourceContract, GivesAlignedBytesThatCanBeWritten) {
  for (size_t alignment = 1; alignment <= 8192; alignment *= 2) {
    Result<void*> bytes = this->resource().Allocate(1000, alignment);
    ASSERT_TRUE(bytes.ok()) << bytes.status().message();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*bytes) % alignment, 0u);
    std::memset(*bytes, 0x5a, 1000);
    this->resource().Deallocate(*bytes, 1000, alignment);
  }
}

TYPED_TEST_P(MemoryResourceContract, TakesARequestForNoBytes) {
  Result<void*> bytes = this->resource().Allocate(0);
  ASSERT_TRUE(bytes.ok());
  EXPECT_NE(*bytes, nullptr);
  this->resource().Deallocate(*bytes, 0);
}

TYPED_TEST_P(MemoryResourceContract, RefusesAnAlignmentThatIsNoPowerOfTwo) {
  EXPECT_EQ(this->resource().Allocate(64, 48).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(this->resource().Allocate(64, 0).status().code(), StatusCode::kInvalidArgument);
}

TYPED_TEST_P(MemoryResourceContract, RefusesMoreThanThereIsAndServesOn) {
  EXPECT_EQ(this->resource().Allocate(SIZE_MAX).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(this->resource().Allocate(SIZE_MAX / 2).status().code(), StatusCode::kUnavailable);
  Result<void*> bytes = this->resource().Allocate(100);
  ASSERT_TRUE(bytes.ok());
  this->resource().Deallocate(*bytes, 100);
}

TYPED_TEST_P(MemoryResourceContract, NeverGivesBytesThatAreLive) {
  RandomUser user(this->resource(), 1);
  for (int i = 0; i < 20'000; ++i) user.Step();
  EXPECT_TRUE(user.is_intact());
}

TYPED_TEST_P(MemoryResourceContract, ServesManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> intact_count{0};
  for (uint32_t seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      RandomUser user(this->resource(), seed);
      for (int i = 0; i < 5'000; ++i) user.Step();
      intact_count += user.is_intact();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(intact_count, 4);
}

REGISTER_TYPED_TEST_SUITE_P(MemoryResourceContract, GivesAlignedBytesThatCanBeWritten,
                            TakesARequestForNoBytes, RefusesAnAlignmentThatIsNoPowerOfTwo,
                            RefusesMoreThanThereIsAndServesOn, NeverGivesBytesThatAreLive, ServesManyThreads);

}  // namespace workbench
