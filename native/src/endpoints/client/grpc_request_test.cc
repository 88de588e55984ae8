// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/grpc_request.h"

#include <gtest/gtest.h>

#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

TEST(GrpcRequestTest, RequestsOfNoSequenceAreTheMessageAlone) { EXPECT_EQ(SequenceParameters({}), ""); }

TEST(GrpcRequestTest, ASequenceIsThreeParametersOfTheMessage) {
  const std::string bytes = SequenceParameters({300, 0, kSequenceStart});
  std::string names;
  WireReader reader(bytes);
  while (reader.Next()) {
    ASSERT_TRUE(reader.Is(4, WireType::kBytes));
    WireReader entry(reader.bytes());
    ASSERT_TRUE(entry.Next());
    names += std::string(entry.bytes()) + " ";
    ASSERT_TRUE(entry.Next());
    WireReader value(entry.bytes());
    ASSERT_TRUE(value.Next());
    names += std::to_string(value.field()) + "=" + std::to_string(value.value()) + " ";
  }
  EXPECT_EQ(names, "sequence_id 2=300 sequence_start 1=1 sequence_end 1=0 ");
}

TEST(GrpcRequestTest, TheFrameTellsTheLengthInFourBytes) {
  EXPECT_EQ(MessageFrame(0x01020304), std::string("\0\1\2\3\4", 5));
}

TEST(GrpcRequestTest, StatusesAreThoseOfTheProtocolsServers) {
  EXPECT_EQ(StatusOfGrpc("0"), StatusCode::kOk);
  EXPECT_EQ(StatusOfGrpc("3"), StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOfGrpc("14"), StatusCode::kUnavailable);
  EXPECT_EQ(StatusOfGrpc(""), StatusCode::kUnknown);
  EXPECT_EQ(StatusOfGrpc("99"), StatusCode::kUnknown);
}

}  // namespace
}  // namespace workbench
