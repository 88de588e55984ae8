// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/address_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace workbench {
namespace {

const void* At(uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST(AddressMapTest, FindsWhatWasInserted) {
  AddressMap<int> map;
  map.Insert(At(64), 7);
  ASSERT_NE(map.Find(At(64)), nullptr);
  EXPECT_EQ(*map.Find(At(64)), 7);
  EXPECT_EQ(map.Find(At(128)), nullptr);
}

TEST(AddressMapTest, RemovesOnce) {
  AddressMap<int> map;
  map.Insert(At(64), 7);
  EXPECT_EQ(map.Remove(At(64)), 7);
  EXPECT_FALSE(map.Remove(At(64)));
  EXPECT_EQ(map.size(), 0u);
}

TEST(AddressMapTest, AgreesWithAModelThroughARandomLife) {
  AddressMap<int> map;
  std::map<uintptr_t, int> model;
  std::mt19937 random(3);
  for (int step = 0; step < 50'000; ++step) {
    const uintptr_t address = 64 * (1 + random() % 500);
    if (model.count(address) == 0) {
      map.Insert(At(address), step);
      model[address] = step;
    } else {
      ASSERT_EQ(map.Remove(At(address)), model[address]);
      model.erase(address);
    }
    ASSERT_EQ(map.size(), model.size());
  }
  for (uintptr_t address = 64; address <= 64 * 500; address += 64) {
    ASSERT_EQ(map.Find(At(address)) != nullptr, model.count(address) == 1);
  }
}

}  // namespace
}  // namespace workbench
