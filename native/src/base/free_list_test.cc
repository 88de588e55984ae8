// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/free_list.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace workbench {
namespace {

struct Thing {
  Thing* next_free = nullptr;
};

TEST(FreeListTest, HandsOutWhatWasReturned) {
  Thing* const thing = FreeList<Thing>::Take();
  FreeList<Thing>::Return(thing);
  EXPECT_EQ(FreeList<Thing>::Take(), thing);
  FreeList<Thing>::Return(thing);
}

TEST(FreeListTest, NeverHandsOutOneObjectTwice) {
  std::set<Thing*> seen;
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(seen.insert(FreeList<Thing>::Take()).second);
  for (Thing* thing : seen) FreeList<Thing>::Return(thing);
}

TEST(FreeListTest, WhatAThreadReturnedOutlivesItsEnd) {
  struct Other {
    Other* next_free = nullptr;
  };
  std::vector<Other*> taken;
  for (int i = 0; i < 8; ++i) taken.push_back(FreeList<Other>::Take());
  // The thread only returns, and takes nothing.
  std::thread([&] {
    for (Other* each : taken) FreeList<Other>::Return(each);
  }).join();
  const std::set<Other*> returned(taken.begin(), taken.end());
  Other* const again = FreeList<Other>::Take();
  EXPECT_EQ(returned.count(again), 1u);
  FreeList<Other>::Return(again);
}

}  // namespace
}  // namespace workbench
