// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

namespace workbench {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kMs = 1'000'000;
constexpr SequenceSlots::Flags kStart{true, false};
constexpr SequenceSlots::Flags kEnd{false, true};
constexpr SequenceSlots::Flags kStartEnd{true, true};
constexpr SequenceSlots::Flags kNoFlag{false, false};

class SequenceSlotsTest : public ::testing::Test {
 protected:
  void Start(uint32_t instances, uint32_t slots, uint64_t max_idle_ns = 1000 * kMs) {
    slots_ = std::make_unique<SequenceSlots>(SequenceSlots::Options{instances, slots, max_idle_ns});
  }
  // A request comes; null: it was refused.
  Sequence* Send(const SequenceId& id, SequenceSlots::Flags flags, uint64_t timeout_ns = 0) {
    Sequence* const sequence = slots_->Enroll(id, flags);
    if (sequence == nullptr) return nullptr;
    entries_.emplace_back();
    entries_.back().arrival_ns = now_ns_;
    slots_->Append(sequence, &entries_.back(), flags, timeout_ns);
    return sequence;
  }
  Sequence* Send(uint64_t id, SequenceSlots::Flags flags, uint64_t timeout_ns = 0) {
    return Send(SequenceId{id, {}}, flags, timeout_ns);
  }
  // The first waiting request runs and is done.
  void Run(Sequence* sequence) {
    slots_->Begin(sequence);
    slots_->Done(sequence, now_ns_);
  }
  std::vector<Sequence*> Reap() {
    std::vector<Sequence*> entered;
    slots_->ReapIdle(now_ns_, &entered);
    return entered;
  }
  size_t Expire() {
    EntryList expired;
    slots_->ExpireBacklog(now_ns_, &expired);
    return expired.length();
  }
  static std::pair<uint32_t, uint32_t> PlaceOf(const Sequence* sequence) {
    return {sequence->instance, sequence->slot};
  }
  static bool IsInBacklog(const Sequence* sequence) { return sequence->place == Sequence::Place::kBacklog; }

  std::unique_ptr<SequenceSlots> slots_;
  std::deque<QueueEntry> entries_;
  uint64_t now_ns_ = 1'000'000'000;
};

TEST_F(SequenceSlotsTest, NewSequencesGetTheLowestSlotOverAllInstances) {
  Start(2, 2);
  std::vector<std::pair<uint32_t, uint32_t>> places;
  for (uint64_t id = 1; id <= 4; ++id) places.push_back(PlaceOf(Send(id, kStart)));
  using Place = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(places, ElementsAre(Place(0, 0), Place(1, 0), Place(0, 1), Place(1, 1)));
  EXPECT_EQ(slots_->free_slot_count(), 0u);
}

TEST_F(SequenceSlotsTest, ASequenceKeepsItsSlot) {
  Start(1, 4);
  Sequence* const first = Send(1, kStart);
  Send(2, kStart);
  EXPECT_EQ(Send(1, kNoFlag), first);
  EXPECT_EQ(Send(1, kEnd), first);
  EXPECT_EQ(first->waiting.length(), 3u);
  EXPECT_EQ(slots_->at(0, 0), first);
}

TEST_F(SequenceSlotsTest, ARequestWithoutStartOfAnUnknownSequenceIsRefused) {
  Start(1, 1);
  EXPECT_EQ(Send(1, kNoFlag), nullptr);
  EXPECT_EQ(Send(1, kEnd), nullptr);
  EXPECT_EQ(slots_->open_count(), 0u);
  EXPECT_EQ(slots_->free_slot_count(), 1u);
}

TEST_F(SequenceSlotsTest, NumbersAndTextsAreDifferentIds) {
  Start(1, 4);
  Sequence* const number = Send(7, kStart);
  Sequence* const text = Send(SequenceId{0, "7"}, kStart);
  EXPECT_NE(number, text);
  EXPECT_EQ(Send(SequenceId{0, "7"}, kNoFlag), text);
  EXPECT_EQ(Send(7, kNoFlag), number);
}

TEST_F(SequenceSlotsTest, ATextIsKeptThoughTheSendersIsGone) {
  Start(1, 4);
  {
    std::string id(100, 'x');
    Send(SequenceId{0, id}, kStart);
    id.assign(100, 'y');
  }
  EXPECT_NE(Send(SequenceId{0, std::string(100, 'x')}, kNoFlag), nullptr);
  EXPECT_EQ(Send(SequenceId{0, std::string(100, 'y')}, kNoFlag), nullptr);
}

TEST_F(SequenceSlotsTest, WithoutAFreeSlotSequencesWaitFirstComeFirstServed) {
  Start(1, 1);
  Sequence* const a = Send(1, kStart);
  Sequence* const b = Send(2, kStart);
  Sequence* const c = Send(3, kStart);
  EXPECT_TRUE(IsInBacklog(b));
  EXPECT_TRUE(IsInBacklog(c));
  EXPECT_EQ(slots_->backlog_length(), 2u);
  Send(1, kEnd);
  Run(a);
  Run(a);
  EXPECT_TRUE(a->has_ended());
  EXPECT_EQ(slots_->Vacate(a), b);
  EXPECT_EQ(slots_->at(0, 0), b);
  EXPECT_EQ(slots_->backlog_length(), 1u);
}

TEST_F(SequenceSlotsTest, RequestsFollowTheirSequenceIntoTheBacklogAndOutOfIt) {
  Start(1, 1);
  Sequence* const a = Send(1, kStart);
  Sequence* const b = Send(2, kStart);
  EXPECT_EQ(Send(2, kNoFlag), b);
  Run(a);
  EXPECT_EQ(slots_->Vacate(a), b);
  EXPECT_EQ(Send(2, kEnd), b);
  EXPECT_EQ(b->waiting.length(), 3u);
}

TEST_F(SequenceSlotsTest, AnEndInTheBacklogLetsTheIdQueueAgain) {
  Start(1, 1);
  Send(1, kStart);
  Sequence* const first = Send(2, kStartEnd);
  EXPECT_EQ(Send(2, kNoFlag), nullptr);
  Sequence* const second = Send(2, kStart);
  EXPECT_NE(first, second);
  EXPECT_EQ(Send(2, kNoFlag), second);
  EXPECT_EQ(first->waiting.length(), 1u);
  EXPECT_EQ(slots_->backlog_length(), 2u);
}

TEST_F(SequenceSlotsTest, AfterAnEndTheIdMayStartAgainThoughTheFirstStillRuns) {
  Start(1, 2);
  Sequence* const first = Send(1, kStartEnd);
  slots_->Begin(first);
  Sequence* const second = Send(1, kStart);
  EXPECT_NE(first, second);
  EXPECT_EQ(PlaceOf(second), (std::pair<uint32_t, uint32_t>(0, 1)));
}

TEST_F(SequenceSlotsTest, AStartOfAnOpenSequenceGoesOnInItsSlot) {
  Start(1, 2);
  Sequence* const first = Send(1, kStart);
  EXPECT_EQ(Send(1, kStart), first);
  EXPECT_EQ(first->waiting.length(), 2u);
  EXPECT_EQ(slots_->free_slot_count(), 1u);
}

TEST_F(SequenceSlotsTest, AVacatedSlotIsTheLowestAgain) {
  Start(1, 3);
  Sequence* const a = Send(1, kStartEnd);
  Send(2, kStart);
  Run(a);
  slots_->Vacate(a);
  EXPECT_EQ(Send(3, kStart)->slot, 0u);
  EXPECT_EQ(Send(4, kStart)->slot, 2u);
}

TEST_F(SequenceSlotsTest, ASlotMayBeVacatedWhileTheLastRequestRuns) {
  Start(1, 1);
  Sequence* const a = Send(1, kStartEnd);
  Sequence* const b = Send(2, kStart);
  slots_->Begin(a);
  EXPECT_EQ(slots_->Vacate(a), b);
  slots_->Done(a, now_ns_);
  EXPECT_EQ(slots_->at(0, 0), b);
}

TEST_F(SequenceSlotsTest, SequencesThatAreOverAreUsedAgain) {
  Start(1, 1);
  std::set<Sequence*> seen;
  for (uint64_t id = 1; id <= 100; ++id) {
    Sequence* const sequence = Send(id, kStartEnd);
    seen.insert(sequence);
    Run(sequence);
    slots_->Vacate(sequence);
  }
  EXPECT_EQ(seen.size(), 1u);
}

TEST_F(SequenceSlotsTest, AnIdleSequenceIsReapedOnce) {
  Start(1, 1, 200 * kMs);
  Run(Send(1, kStart));
  EXPECT_EQ(slots_->next_deadline_ns(), now_ns_ + 200 * kMs);
  now_ns_ += 200 * kMs - 1;
  Reap();
  EXPECT_EQ(slots_->open_count(), 1u);
  now_ns_ += 1;
  Reap();
  EXPECT_EQ(slots_->open_count(), 0u);
  EXPECT_EQ(slots_->free_slot_count(), 1u);
  EXPECT_EQ(slots_->next_deadline_ns(), 0u);
  now_ns_ += 1000 * kMs;
  Reap();
  EXPECT_EQ(slots_->free_slot_count(), 1u);
  EXPECT_EQ(Send(1, kNoFlag), nullptr);
}

TEST_F(SequenceSlotsTest, ASequenceThatWaitsOrRunsIsNotIdle) {
  Start(1, 1, 200 * kMs);
  Sequence* const a = Send(1, kStart);
  now_ns_ += 1000 * kMs;
  Reap();
  EXPECT_EQ(slots_->open_count(), 1u);
  slots_->Begin(a);
  now_ns_ += 1000 * kMs;
  Reap();
  EXPECT_EQ(slots_->open_count(), 1u);
  slots_->Done(a, now_ns_);
  now_ns_ += 200 * kMs;
  Reap();
  EXPECT_EQ(slots_->open_count(), 0u);
}

TEST_F(SequenceSlotsTest, ARequestEndsTheIdleTime) {
  Start(1, 2, 200 * kMs);
  Sequence* const a = Send(1, kStart);
  Run(a);
  Run(Send(2, kStart));
  now_ns_ += 150 * kMs;
  Send(1, kNoFlag);
  Run(a);
  now_ns_ += 100 * kMs;
  Reap();
  EXPECT_EQ(slots_->open_count(), 1u);
  EXPECT_EQ(slots_->at(0, 0), a);
  EXPECT_EQ(slots_->next_deadline_ns(), now_ns_ + 100 * kMs);
}

TEST_F(SequenceSlotsTest, TheSlotOfAnIdleSequenceGoesToTheBacklog) {
  Start(1, 1, 200 * kMs);
  Run(Send(1, kStart));
  Sequence* const b = Send(2, kStart);
  now_ns_ += 200 * kMs;
  EXPECT_THAT(Reap(), ElementsAre(b));
  EXPECT_EQ(slots_->at(0, 0), b);
}

TEST_F(SequenceSlotsTest, AShorterIdleTimeAppliesToThoseThatAreIdleAlready) {
  Start(1, 1, 1000 * kMs);
  Run(Send(1, kStart));
  slots_->set_max_idle_ns(10 * kMs);
  EXPECT_EQ(slots_->next_deadline_ns(), now_ns_ + 10 * kMs);
}

TEST_F(SequenceSlotsTest, ACancelledStartFreesItsSlotOnce) {
  Start(1, 2, 200 * kMs);
  Sequence* const a = Send(1, kStart);
  EntryList left;
  slots_->Abandon(a, &left);
  EXPECT_EQ(left.length(), 1u);
  EXPECT_EQ(slots_->free_slot_count(), 2u);
  now_ns_ += 500 * kMs;
  EXPECT_THAT(Reap(), ElementsAre());
  EXPECT_EQ(slots_->free_slot_count(), 2u);
  EXPECT_EQ(Send(2, kStart)->slot, 0u);
  EXPECT_EQ(Send(3, kStart)->slot, 1u);
  EXPECT_TRUE(IsInBacklog(Send(4, kStart)));
}

TEST_F(SequenceSlotsTest, AbandoningHandsOutAllThatWaits) {
  Start(1, 1);
  Sequence* const a = Send(1, kStart);
  Send(1, kNoFlag);
  Send(1, kEnd);
  Sequence* const b = Send(2, kStart);
  EntryList left;
  EXPECT_EQ(slots_->Abandon(a, &left), b);
  EXPECT_EQ(left.length(), 3u);
}

TEST_F(SequenceSlotsTest, AbandoningAnEndedSequenceDoesNotTouchItsSuccessor) {
  Start(1, 1);
  Send(9, kStart);
  Sequence* const first = Send(1, kStartEnd);
  Sequence* const second = Send(1, kStart);
  EntryList left;
  slots_->Abandon(first, &left);
  EXPECT_EQ(Send(1, kNoFlag), second);
  EXPECT_EQ(slots_->backlog_length(), 1u);
}

TEST_F(SequenceSlotsTest, ATimeoutEndsTheSequenceInTheBacklog) {
  Start(1, 1);
  Send(1, kStart);
  Send(2, kStart, 50 * kMs);
  Send(2, kNoFlag);
  EXPECT_EQ(slots_->next_deadline_ns(), now_ns_ + 50 * kMs);
  now_ns_ += 50 * kMs;
  EXPECT_EQ(Expire(), 2u);
  EXPECT_EQ(Send(2, kNoFlag), nullptr);
  EXPECT_EQ(slots_->backlog_length(), 0u);
  EXPECT_EQ(Expire(), 0u);
}

TEST_F(SequenceSlotsTest, TheShortestTimeoutOfASequenceCounts) {
  Start(1, 1);
  Send(1, kStart);
  Send(2, kStart, 50 * kMs);
  Send(2, kNoFlag, 20 * kMs);
  Send(2, kNoFlag, 80 * kMs);
  EXPECT_EQ(slots_->next_deadline_ns(), now_ns_ + 20 * kMs);
}

TEST_F(SequenceSlotsTest, ASlotInTimeEndsTheTimeout) {
  Start(1, 1);
  Sequence* const a = Send(1, kStart);
  Send(2, kStart, 50 * kMs);
  Run(a);
  slots_->Vacate(a);
  now_ns_ += 100 * kMs;
  EXPECT_EQ(Expire(), 0u);
  EXPECT_EQ(slots_->next_deadline_ns(), 0u);
}

TEST_F(SequenceSlotsTest, AbandoningAllEmptiesSlotsAndBacklog) {
  Start(2, 1);
  for (uint64_t id = 1; id <= 5; ++id) Send(id, kStart);
  EntryList left;
  slots_->AbandonAll(&left);
  EXPECT_EQ(left.length(), 5u);
  EXPECT_EQ(slots_->open_count(), 0u);
  EXPECT_EQ(slots_->free_slot_count(), 2u);
}

TEST_F(SequenceSlotsTest, ThousandsOfOpenSequencesAreFoundAgain) {
  Start(1, 1);
  std::vector<Sequence*> sequences;
  for (uint64_t id = 1; id <= 5000; ++id) sequences.push_back(Send(id * 4096, kStart));
  for (uint64_t id = 1; id <= 5000; ++id) EXPECT_EQ(Send(id * 4096, kNoFlag), sequences[id - 1]);
}

// Whatever happens, no slot is held by two sequences or lost.
TEST_F(SequenceSlotsTest, SlotsAreNeitherSharedNorLost) {
  Start(2, 3, 5 * kMs);
  std::mt19937 random(1);
  auto in_slots = [&] {
    std::vector<Sequence*> found;
    for (uint32_t i = 0; i < 2; ++i) {
      for (uint32_t k = 0; k < 3; ++k) {
        Sequence* const sequence = slots_->at(i, k);
        if (sequence == nullptr) continue;
        EXPECT_EQ(PlaceOf(sequence), (std::pair<uint32_t, uint32_t>(i, k)));
        found.push_back(sequence);
      }
    }
    return found;
  };
  for (int step = 0; step < 20'000; ++step) {
    now_ns_ += random() % kMs;
    const uint64_t id = 1 + random() % 12;
    const SequenceSlots::Flags flags{random() % 3 == 0, random() % 4 == 0};
    Send(id, flags, random() % 5 == 0 ? kMs : 0);
    const auto held = in_slots();
    if (!held.empty()) {
      Sequence* const sequence = held[random() % held.size()];
      EntryList left;
      if (random() % 16 == 0) {
        slots_->Abandon(sequence, &left);
      } else if (!sequence->waiting.empty()) {
        Run(sequence);
        if (sequence->has_ended()) slots_->Vacate(sequence);
      }
    }
    Reap();
    Expire();
    EXPECT_EQ(in_slots().size() + slots_->free_slot_count(), 6u);
    if (slots_->free_slot_count() > 0) {
      EXPECT_EQ(slots_->backlog_length(), 0u);
    }
  }
}

}  // namespace
}  // namespace workbench
