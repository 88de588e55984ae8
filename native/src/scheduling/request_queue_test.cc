// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/request_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RequestQueueTest : public ::testing::Test {
 protected:
  void Start(QueueOptions options) { queue_ = std::make_unique<RequestQueue>(std::move(options)); }
  // An entry whose rows are its name.
  QueueEntry* Insert(uint32_t name, uint64_t priority = 0, uint64_t at_ns = 0, uint64_t timeout_ns = 0) {
    entries_.emplace_back();
    entries_.back().rows = name;
    entries_.back().arrival_ns = at_ns;
    queue_->Insert(&entries_.back(), priority, timeout_ns);
    return &entries_.back();
  }
  std::vector<uint32_t> Order() const {
    std::vector<uint32_t> names;
    for (const QueueEntry* entry = queue_->head(); entry != nullptr; entry = entry->next)
      names.push_back(entry->rows);
    return names;
  }
  std::vector<uint32_t> Expire(uint64_t now_ns) {
    std::vector<QueueEntry*> rejected;
    queue_->Expire(now_ns, &rejected);
    std::vector<uint32_t> names;
    for (const QueueEntry* entry : rejected) names.push_back(entry->rows);
    return names;
  }
  static QueueOptions WithTimeout(TimeoutAction action, uint64_t timeout_ns, bool can_override = false) {
    QueueOptions options;
    options.default_policy = {action, timeout_ns, can_override, 0};
    return options;
  }

  std::deque<QueueEntry> entries_;
  std::unique_ptr<RequestQueue> queue_;
};

TEST_F(RequestQueueTest, FirstComeFirstServed) {
  Start({});
  Insert(1);
  Insert(2);
  Insert(3);
  EXPECT_THAT(Order(), ElementsAre(1, 2, 3));
}

TEST_F(RequestQueueTest, AHigherLevelGoesFirst) {
  Start({3, 2, {}, {}});
  Insert(1, 3);
  Insert(2, 1);
  Insert(3, 2);
  Insert(4, 1);
  EXPECT_THAT(Order(), ElementsAre(2, 4, 3, 1));
}

TEST_F(RequestQueueTest, AnUnknownPriorityIsTheDefaultLevel) {
  Start({3, 2, {}, {}});
  Insert(1, 3);
  Insert(2, 0);
  Insert(3, 99);
  Insert(4, 1);
  EXPECT_THAT(Order(), ElementsAre(4, 2, 3, 1));
}

TEST_F(RequestQueueTest, TellsWhetherAnEntryWentLast) {
  Start({2, 2, {}, {}});
  QueueEntry low, high;
  EXPECT_TRUE(queue_->Insert(&low, 2, 0));
  EXPECT_FALSE(queue_->Insert(&high, 1, 0));
}

TEST_F(RequestQueueTest, RemovingKeepsTheOrderOfTheRest) {
  Start({2, 1, {}, {}});
  QueueEntry* const first = Insert(1, 1);
  QueueEntry* const second = Insert(2, 1);
  Insert(3, 2);
  queue_->Remove(second);
  EXPECT_THAT(Order(), ElementsAre(1, 3));
  Insert(4, 1);
  EXPECT_THAT(Order(), ElementsAre(1, 4, 3));
  queue_->Remove(first);
  EXPECT_THAT(Order(), ElementsAre(4, 3));
  EXPECT_EQ(queue_->length(), 2u);
}

TEST_F(RequestQueueTest, TellsHowManyWaitAtEachLevelThatWasEverUsed) {
  Start({3, 2, {}, {}});
  Insert(1, 3);
  Insert(2, 1);
  Insert(3, 1);
  queue_->Remove(queue_->head());
  queue_->Remove(queue_->head());
  std::vector<std::pair<uint32_t, size_t>> told;
  for (const QueueLevel& level : queue_->levels()) told.emplace_back(level.level, level.length);
  EXPECT_THAT(told, ElementsAre(std::pair(1u, size_t{0}), std::pair(3u, size_t{1})));
}

TEST_F(RequestQueueTest, WithoutPrioritiesThereAreNoLevels) {
  Start({});
  Insert(1);
  EXPECT_THAT(queue_->levels(), IsEmpty());
}

TEST_F(RequestQueueTest, RejectsThoseWhoseTimeIsUp) {
  Start(WithTimeout(TimeoutAction::kReject, 100));
  Insert(1, 0, 0);
  Insert(2, 0, 50);
  EXPECT_EQ(queue_->next_deadline_ns(), 100u);
  EXPECT_THAT(Expire(99), IsEmpty());
  EXPECT_THAT(Expire(100), ElementsAre(1));
  EXPECT_THAT(Order(), ElementsAre(2));
  EXPECT_EQ(queue_->next_deadline_ns(), 150u);
}

TEST_F(RequestQueueTest, DelaysThoseWhoseTimeIsUpBehindTheirLevel) {
  QueueOptions options = WithTimeout(TimeoutAction::kDelay, 100);
  options.priority_levels = 2;
  options.default_priority_level = 1;
  Start(options);
  Insert(1, 1, 0);
  Insert(2, 1, 50);
  Insert(3, 2, 50);
  EXPECT_THAT(Expire(100), IsEmpty());
  EXPECT_THAT(Order(), ElementsAre(2, 1, 3));
  Insert(4, 1, 110);
  EXPECT_THAT(Order(), ElementsAre(2, 4, 1, 3));
}

TEST_F(RequestQueueTest, ARequestShortensItsTimeoutAndNeverLengthensIt) {
  Start(WithTimeout(TimeoutAction::kReject, 1000, true));
  EXPECT_EQ(Insert(1, 0, 0, 5000)->deadline_ns, 1000u);
  EXPECT_EQ(Insert(2, 0, 0, 100)->deadline_ns, 100u);
}

TEST_F(RequestQueueTest, WithoutADefaultARequestHasNoTimeout) {
  Start(WithTimeout(TimeoutAction::kReject, 0, true));
  EXPECT_EQ(Insert(1, 0, 0, 100)->deadline_ns, 0u);
}

TEST_F(RequestQueueTest, WithoutOverrideTheDefaultHolds) {
  Start(WithTimeout(TimeoutAction::kReject, 1000));
  EXPECT_EQ(Insert(1, 0, 0, 100)->deadline_ns, 1000u);
}

TEST_F(RequestQueueTest, ALevelIsFullByItself) {
  QueueOptions options;
  options.priority_levels = 2;
  options.default_priority_level = 2;
  options.level_policies[1] = {TimeoutAction::kReject, 0, false, 1};
  Start(options);
  EXPECT_FALSE(queue_->IsFull(1));
  Insert(1, 1);
  EXPECT_TRUE(queue_->IsFull(1));
  EXPECT_FALSE(queue_->IsFull(2));
}

}  // namespace
}  // namespace workbench
