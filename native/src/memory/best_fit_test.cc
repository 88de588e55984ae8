// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/best_fit.h"

#include <gtest/gtest.h>

#include <random>

namespace workbench {
namespace {

constexpr uintptr_t kSlab = 0x100000;
constexpr uintptr_t kOther = kSlab + 4096;  // the slab right behind

TEST(BestFitTest, HasNothingWithoutASlab) { EXPECT_FALSE(BestFit().Take(64, 64)); }

TEST(BestFitTest, TakesTheSmallestBlockThatIsLargeEnough) {
  BestFit space;
  space.Add({kSlab, 4096});
  space.Add({kSlab + 0x100000, 1024});
  EXPECT_EQ(space.Take(1024, 64), kSlab + 0x100000);
}

TEST(BestFitTest, UsesASlabToItsLastByte) {
  BestFit space;
  space.Add({kSlab, 4096});
  EXPECT_EQ(space.Take(4032, 64), kSlab);
  EXPECT_EQ(space.Take(64, 64), kSlab + 4032);
  EXPECT_FALSE(space.Take(64, 64));
}

TEST(BestFitTest, JoinsWhatIsGivenBackWithBothNeighbours) {
  BestFit space;
  space.Add({kSlab, 192});
  const uintptr_t first = *space.Take(64, 64), second = *space.Take(64, 64), third = *space.Take(64, 64);
  space.Give(first);
  space.Give(third);
  EXPECT_FALSE(space.Take(192, 64));
  space.Give(second);
  EXPECT_EQ(space.Take(192, 64), kSlab);
}

TEST(BestFitTest, NeverJoinsAcrossSlabs) {
  BestFit space;
  space.Add({kSlab, 4096});
  space.Add({kOther, 4096});
  const uintptr_t first = *space.Take(4096, 64), second = *space.Take(4096, 64);
  space.Give(first);
  space.Give(second);
  EXPECT_FALSE(space.Take(8192, 64));
}

TEST(BestFitTest, KeepsWhatAnAlignmentSkipsFree) {
  BestFit space;
  space.Add({kSlab, 4096});
  EXPECT_EQ(space.Take(64, 64), kSlab);
  EXPECT_EQ(space.Take(1024, 1024), kSlab + 1024);
  EXPECT_EQ(space.Take(960, 64), kSlab + 64);
}

TEST(BestFitTest, FitsAnAlignedRequestExactly) {
  BestFit space;
  space.Add({kSlab, 4096});
  EXPECT_EQ(space.Take(4096, 4096), kSlab);
}

TEST(BestFitTest, RemovesOnlySlabsThatAreWhollyFree) {
  BestFit space;
  space.Add({kSlab, 4096});
  space.Add({kOther, 4096});
  const uintptr_t taken = *space.Take(64, 64);
  const auto removed = space.RemoveFreeSlabs();
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].address, taken == kSlab ? kOther : kSlab);
  EXPECT_EQ(space.slabs().size(), 1u);
  EXPECT_FALSE(space.Take(4096, 64));
}

// Against a model that marks every grain: no overlap, no hole, no two free neighbours, and all of it comes
// back.
TEST(BestFitTest, AgreesWithAModelThroughARandomLife) {
  constexpr size_t kGrains = 512;
  BestFit space;
  space.Add({kSlab, kGrains * BestFit::kGrain});
  std::vector<bool> is_taken(kGrains);
  std::vector<std::pair<uintptr_t, size_t>> live;
  std::mt19937 random(7);
  const auto mark = [&](uintptr_t address, size_t grains, bool value) {
    for (size_t i = 0; i < grains; ++i) {
      ASSERT_NE(is_taken.at((address - kSlab) / BestFit::kGrain + i), value);
      is_taken[(address - kSlab) / BestFit::kGrain + i] = value;
    }
  };
  for (int step = 0; step < 20'000; ++step) {
    const size_t grains = 1 + random() % 40;
    if (random() % 2 == 0) {
      if (const auto address = space.Take(grains * BestFit::kGrain, size_t{64} << random() % 4)) {
        mark(*address, grains, true);
        live.emplace_back(*address, grains);
      }
    } else if (!live.empty()) {
      std::swap(live[random() % live.size()], live.back());
      space.Give(live.back().first);
      mark(live.back().first, live.back().second, false);
      live.pop_back();
    }
    uintptr_t end = kSlab;
    bool is_after_free = false;
    for (const auto& [address, block] : space.blocks()) {
      ASSERT_EQ(address, end);
      ASSERT_FALSE(is_after_free && block.is_free);
      end = address + block.byte_size;
      is_after_free = block.is_free;
    }
    ASSERT_EQ(end, kSlab + kGrains * BestFit::kGrain);
  }
  for (const auto& [address, grains] : live) space.Give(address);
  EXPECT_EQ(space.blocks().size(), 1u);
}

}  // namespace
}  // namespace workbench
