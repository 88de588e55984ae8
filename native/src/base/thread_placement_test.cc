// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/thread_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int> Cores(const std::string& text) {
  return ThreadPlacement::Parse({{"cpu-cores", text}}).value().cores;
}

int AllowedCores() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

TEST(ThreadPlacementTest, ReadsCoresAndRanges) {
  EXPECT_THAT(Cores("0-2"), ElementsAre(0, 1, 2));
  EXPECT_THAT(Cores("3"), ElementsAre(3));
  EXPECT_THAT(Cores("0-1,4,6-7"), ElementsAre(0, 1, 4, 6, 7));
}

TEST(ThreadPlacementTest, ReadsANode) {
  EXPECT_EQ(ThreadPlacement::Parse({{"numa-node", "1"}}).value().numa_node, 1);
  EXPECT_TRUE(ThreadPlacement::Parse({}).value().is_anywhere());
}

TEST(ThreadPlacementTest, NamesTheSettingThatIsWrong) {
  for (const char* text : {"", "a", "1-", "-1", "3-1", "0,,1", "0-1 ", "99999", "0-99999999999"}) {
    const Status status = ThreadPlacement::Parse({{"cpu-cores", text}}).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), HasSubstr("cpu-cores"));
  }
  for (const char* text : {"", "-1", "x", "64"}) {
    EXPECT_THAT(ThreadPlacement::Parse({{"numa-node", text}}).status().message(), HasSubstr("numa-node"));
  }
}

TEST(ThreadPlacementTest, PlacesAThreadForAWhile) {
  std::thread([] {
    const int before = AllowedCores();
    {
      ThreadPlacement placement;
      placement.cores = {sched_getcpu()};
      const ScopedThreadPlacement placed(placement);
      ASSERT_TRUE(placed.status().ok()) << placed.status().message();
      EXPECT_EQ(AllowedCores(), 1);
    }
    EXPECT_EQ(AllowedCores(), before);
  }).join();
}

TEST(ThreadPlacementTest, CoresThatTheMachineLacksAreAnError) {
  std::thread([] {
    const Status status = PlaceThisThread({{CPU_SETSIZE - 1}, -1});
    EXPECT_EQ(status.code(), StatusCode::kInternal);
  }).join();
}

}  // namespace
}  // namespace workbench
