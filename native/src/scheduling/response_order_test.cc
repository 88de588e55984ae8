// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/response_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inference/testing.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ResponseOrderTest : public ::testing::Test {
 protected:
  RequestPtr Enrolled() {
    RequestPtr request = sender_.NewRequest(&target_);
    order_->Enroll(request.get());
    return request;
  }
  static void Answer(const RequestPtr& request, const char* text, uint32_t flags = kResponseFinal) {
    InferenceResponse::Send(request->NewResponse(), flags, InternalError(text));
  }
  std::vector<std::string> answers() const {
    std::vector<std::string> texts;
    for (const Status& status : sender_.answers) texts.push_back(status.message());
    return texts;
  }

  FakeTarget target_;
  FakeSender sender_;
  std::shared_ptr<ResponseOrder> order_ = std::make_shared<ResponseOrder>();
};

TEST_F(ResponseOrderTest, ALaterAnswerWaitsForTheEarlier) {
  const RequestPtr first = Enrolled();
  const RequestPtr second = Enrolled();
  Answer(second, "second");
  EXPECT_THAT(answers(), IsEmpty());
  Answer(first, "first");
  EXPECT_THAT(answers(), ElementsAre("first", "second"));
}

TEST_F(ResponseOrderTest, SeveralAnswersToOneRequestStayTogether) {
  const RequestPtr first = Enrolled();
  const RequestPtr second = Enrolled();
  Answer(first, "1a", 0);
  Answer(second, "2");
  EXPECT_THAT(answers(), ElementsAre("1a"));
  Answer(first, "1b");
  EXPECT_THAT(answers(), ElementsAre("1a", "1b", "2"));
}

TEST_F(ResponseOrderTest, AnswersMayComeAfterTheSchedulerIsGone) {
  const RequestPtr only = Enrolled();
  order_.reset();
  Answer(only, "late");
  EXPECT_THAT(answers(), ElementsAre("late"));
}

}  // namespace
}  // namespace workbench
