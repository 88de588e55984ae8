// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/deadlines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace workbench {
namespace {

uint64_t FirstOf(const Deadlines& deadlines) {
  return deadlines.first() == nullptr ? 0 : deadlines.first()->deadline_ns;
}

// Mostly in order and mostly first in, first out, as in a queue; any other way now and then.
TEST(DeadlinesTest, TheFirstIsTheEarliestWhateverComesAndGoes) {
  std::mt19937_64 random(1);
  std::vector<QueueEntry> entries(400);
  for (int round = 0; round < 200; ++round) {
    Deadlines deadlines;
    std::vector<QueueEntry*> waiting;
    uint64_t at_ns = 1;
    for (QueueEntry& entry : entries) {
      entry.deadline_ns = random() % 4 == 0 ? 1 + random() % 1'000 : (at_ns += random() % 3);
      deadlines.Insert(&entry);
      waiting.push_back(&entry);
      while (!waiting.empty() && random() % 2 == 0) {
        const auto leaving =
            waiting.begin() + static_cast<int64_t>(random() % 3 == 0 ? random() % waiting.size() : 0);
        deadlines.Remove(*leaving);
        waiting.erase(leaving);
        uint64_t earliest_ns = waiting.empty() ? 0 : UINT64_MAX;
        for (const QueueEntry* one : waiting) earliest_ns = std::min(earliest_ns, one->deadline_ns);
        ASSERT_EQ(FirstOf(deadlines), earliest_ns);
      }
    }
  }
}

TEST(DeadlinesTest, EntriesOfOneDeadlineAreToldApart) {
  std::vector<QueueEntry> entries(3);
  Deadlines deadlines;
  for (QueueEntry& entry : entries) {
    entry.deadline_ns = 7;
    deadlines.Insert(&entry);
  }
  deadlines.Remove(&entries[1]);
  EXPECT_EQ(deadlines.first(), &entries[0]);
  deadlines.Remove(&entries[0]);
  EXPECT_EQ(deadlines.first(), &entries[2]);
  deadlines.Remove(&entries[2]);
  EXPECT_EQ(deadlines.first(), nullptr);
}

}  // namespace
}  // namespace workbench
