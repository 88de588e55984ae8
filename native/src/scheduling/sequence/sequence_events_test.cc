// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_events.h"

#include "scheduling/sequence/sequence_fixture.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SequenceEventsTest : public SequenceSchedulerTest {
 protected:
  std::vector<Event> Events() const { return sink_.OfKind(EventKind::kSequence); }
  template <typename T>
  std::vector<uint64_t> All(T Event::*field) const {
    std::vector<uint64_t> values;
    for (const Event& event : Events()) values.push_back(event.*field);
    return values;
  }
  void SendText(const char* text, uint32_t flags) {
    RequestPtr request = NewRequest(0, flags);
    request->set_correlation_id(text);
    EXPECT_TRUE(Send(std::move(request)).ok());
  }
};

TEST_F(SequenceEventsTest, TellWhoseARequestIsAndWhereItStands) {
  Start(Options(Strategy::kDirect));
  Send(5, kStart);
  Send(6, kStart);
  Send(5, kNone);
  Send(5, kEnd);
  EXPECT_THAT(All(&Event::start_ns), ElementsAre(5, 6, 5, 5));
  EXPECT_THAT(All(&Event::batch), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(All(&Event::rows), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(All(&Event::detail), ElementsAre(kStart, kStart, 0, kEnd));
  EXPECT_THAT(All(&Event::id), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(All(&Event::model), ElementsAre(7, 7, 7, 7));
}

TEST_F(SequenceEventsTest, TellThatARequestWaitedForTheOneBefore) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    Start(Options(strategy));
    runner_.holds = true;
    const size_t before = Events().size();
    const uint64_t begin_ns = clock_.NowNs();
    Send(5, kStart);
    Send(5, kNone);
    timer_.Advance(3 * kMs);
    runner_.ReleaseAll();
    runner_.holds = false;
    runner_.RunAll();
    ASSERT_THAT(Events(), SizeIs(before + 2));
    const Event second = Events().back();
    EXPECT_EQ(second.arrival_ns, begin_ns);
    EXPECT_EQ(second.compute_end_ns, begin_ns + 3 * kMs);
    EXPECT_EQ(second.end_ns, begin_ns + 3 * kMs);
  }
}

TEST_F(SequenceEventsTest, TellThatASequenceWaitedForASlot) {
  for (const Strategy strategy : {Strategy::kDirect, Strategy::kOldest}) {
    SchedulingOptions options = Options(strategy);
    options.batching.max_batch_size = 1;
    Start(options);
    const uint64_t begin_ns = clock_.NowNs();
    Send(5, kStart);
    Send(6, kStart | kEnd);
    timer_.Advance(2 * kMs);
    Send(5, kEnd);
    runner_.RunAll();
    const Event last = Events().back();
    EXPECT_EQ(last.start_ns, 6u);
    EXPECT_EQ(last.arrival_ns, begin_ns);
    EXPECT_EQ(last.compute_start_ns, begin_ns + 2 * kMs);
    EXPECT_EQ(last.compute_end_ns, 0u);
    EXPECT_EQ(last.end_ns, begin_ns + 2 * kMs);
  }
}

TEST_F(SequenceEventsTest, TellATextOnceInParts) {
  Start(Options(Strategy::kDirect));
  const char* const text = "0123456789-0123456789-0123456789-0123456789";
  SendText(text, kStart);
  SendText(text, kEnd);
  const std::vector<Event> parts = sink_.OfKind(EventKind::kSequenceName);
  ASSERT_THAT(parts, SizeIs(2));
  std::string told;
  for (const Event& part : parts) told.append(reinterpret_cast<const char*>(&part.start_ns), 32);
  EXPECT_EQ(told.substr(0, parts[0].count), text);
  EXPECT_THAT(All(&Event::start_ns), ElementsAre(parts[0].id, parts[0].id));
  EXPECT_EQ(parts[1].rows, 32);
  EXPECT_EQ(All(&Event::detail)[1], kEnd | static_cast<uint64_t>(SequenceFlag::kText));
}

TEST_F(SequenceEventsTest, GapsAreNoRequests) {
  Start(Options(Strategy::kDirect));
  Send(5, kStart);
  Send(6, kStart);
  Send(6, kNone);  // at place 1: place 0 is a gap
  EXPECT_THAT(All(&Event::start_ns), ElementsAre(5, 6, 6));
}

TEST_F(SequenceEventsTest, ARequestThatIsExecutedAgainIsTheNextOfItsOwnSequence) {
  SchedulingOptions options = Options(Strategy::kDirect);
  options.sequence.is_iterative = true;
  Start(options);
  int left = 1;
  runner_.on_execute = [&](InferenceRequest* request) {
    if (left-- > 0) EXPECT_TRUE(request->Reschedule().ok());
  };
  runner_.is_busy = true;
  Send(0, kNone);
  EXPECT_THAT(Events(), IsEmpty());
  scheduler_->Take(0, &runner_.batch);
  EXPECT_THAT(All(&Event::detail), ElementsAre(kStart | static_cast<uint64_t>(SequenceFlag::kOwnId)));
  runner_.on_execute(runner_.batch.requests[0]);
  scheduler_->Take(0, &runner_.batch);
  EXPECT_THAT(All(&Event::batch), ElementsAre(0, 1));
  InferenceRequest::Release(RequestPtr(runner_.batch.requests[0]), 1);
}

}  // namespace
}  // namespace workbench
