// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/http_request.h"

#include <gtest/gtest.h>

namespace workbench {
namespace {

const HttpSample kSample{"POST /v2/models/m/infer HTTP/1.1\r\n", R"({"inputs":[])", "", "12345678"};

std::string JsonOf(const std::string& head) { return head.substr(head.find("\r\n\r\n") + 4); }

TEST(HttpRequestTest, TellsTheLengthOfItsHeadAndOfTheWhole) {
  const std::string head = kSample.Head({});
  EXPECT_EQ(JsonOf(head), R"({"inputs":[]})");
  EXPECT_NE(head.find("Inference-Header-Content-Length: 13\r\n"), std::string::npos);
  EXPECT_NE(head.find("Content-Length: 21\r\n"), std::string::npos);
}

TEST(HttpRequestTest, ParametersOfTheSampleAndOfTheSequenceAreOneObject) {
  HttpSample sample = kSample;
  sample.parameters = R"("priority":2)";
  EXPECT_EQ(JsonOf(sample.Head({})), R"({"inputs":[],"parameters":{"priority":2}})");
  EXPECT_EQ(
      JsonOf(sample.Head({7, 0, kSequenceStart})),
      R"({"inputs":[],"parameters":{"priority":2,"sequence_id":7,"sequence_start":true,"sequence_end":false}})");
  EXPECT_EQ(JsonOf(kSample.Head({7, 0, kSequenceEnd})),
            R"({"inputs":[],"parameters":{"sequence_id":7,"sequence_start":false,"sequence_end":true}})");
}

TEST(HttpRequestTest, StatusesAreThoseOfTheProtocolsServers) {
  EXPECT_EQ(StatusOfHttp(200), StatusCode::kOk);
  EXPECT_EQ(StatusOfHttp(400), StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOfHttp(503), StatusCode::kUnavailable);
  EXPECT_EQ(StatusOfHttp(302), StatusCode::kUnknown);
}

}  // namespace
}  // namespace workbench
