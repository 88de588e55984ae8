// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/local_cache.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

ResponseCache::Entry Response(size_t byte_size) {
  auto response = std::make_shared<CachedResponse>();
  response->outputs.push_back({"OUT", DataType::kUint8, {static_cast<int64_t>(byte_size)}, {}});
  response->outputs.back().bytes.resize(byte_size);
  return response;
}

CacheKey Key(uint64_t number) { return {number, ~number}; }

class LocalCacheTest : public ::testing::Test {
 protected:
  bool Holds(uint64_t number) { return cache_.Lookup(Key(number)) != nullptr; }

  LocalCache cache_{4 * Response(1000)->byte_size()};
};

TEST_F(LocalCacheTest, GivesWhatWasInserted) {
  EXPECT_FALSE(Holds(1));
  const auto response = Response(1000);
  cache_.Insert(Key(1), 7, response);
  EXPECT_EQ(cache_.Lookup(Key(1)), response);
  EXPECT_EQ(cache_.counts().hits, 1u);
  EXPECT_EQ(cache_.counts().lookups, 2u);
}

TEST_F(LocalCacheTest, TheOneThatWasNotAskedForTheLongestGoesFirst) {
  for (uint64_t i = 1; i <= 4; ++i) cache_.Insert(Key(i), 7, Response(1000));
  EXPECT_TRUE(Holds(1));
  cache_.Insert(Key(5), 7, Response(1000));
  EXPECT_TRUE(Holds(1));
  EXPECT_FALSE(Holds(2));
  EXPECT_EQ(cache_.counts().evictions, 1u);
  EXPECT_EQ(cache_.counts().entries, 4u);
}

TEST_F(LocalCacheTest, StaysWithinItsBytes) {
  for (uint64_t i = 1; i <= 100; ++i) {
    cache_.Insert(Key(i), 7, Response(i * 20));
    EXPECT_LE(cache_.counts().byte_size, cache_.counts().limit_byte_size);
  }
}

TEST_F(LocalCacheTest, WhatIsLargerThanTheCacheIsNotKept) {
  cache_.Insert(Key(1), 7, Response(1000));
  cache_.Insert(Key(2), 7, Response(1'000'000));
  EXPECT_TRUE(Holds(1));
  EXPECT_FALSE(Holds(2));
}

TEST_F(LocalCacheTest, AnEntryReplacesTheOneOfItsKey) {
  cache_.Insert(Key(1), 7, Response(1000));
  cache_.Insert(Key(1), 7, Response(10));
  EXPECT_EQ(cache_.counts().entries, 1u);
  EXPECT_EQ(cache_.counts().byte_size, Response(10)->byte_size());
}

TEST_F(LocalCacheTest, FlushForgetsOneModelAlone) {
  cache_.Insert(Key(1), 7, Response(10));
  cache_.Insert(Key(2), 8, Response(10));
  cache_.Flush(7);
  EXPECT_FALSE(Holds(1));
  EXPECT_TRUE(Holds(2));
  EXPECT_EQ(cache_.counts().byte_size, Response(10)->byte_size());
}

TEST_F(LocalCacheTest, WhoCopiesFromAnEntryKeepsItWhileItGoes) {
  cache_.Insert(Key(1), 7, Response(10));
  const auto held = cache_.Lookup(Key(1));
  cache_.Flush(7);
  EXPECT_EQ(held->outputs[0].bytes.size(), 10u);
}

}  // namespace
}  // namespace workbench
