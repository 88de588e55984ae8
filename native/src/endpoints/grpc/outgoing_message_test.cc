// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/outgoing_message.h"

#include <gtest/gtest.h>

#include <string>

#include "endpoints/grpc/infer_response.h"
#include "endpoints/grpc/message_reader.h"
#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

std::string WholeOf(const OutgoingMessage& message, size_t piece) {
  std::string whole;
  for (size_t at = 0; at < message.byte_size(); at += piece) {
    const size_t size = std::min(piece, message.byte_size() - at);
    message.Read(at, size, [&whole](std::string_view part) { whole.append(part); });
  }
  return whole;
}

TEST(OutgoingMessageTest, ReadsInAnyPiecesWhatWasPutIn) {
  const std::string large(100'000, 'x');
  OutgoingMessage message;
  message.Append("head");
  message.Append(large);
  message.Append("between");
  message.Append(large);
  ASSERT_TRUE(message.has_borrowed());
  WrapForStream(&message);
  ASSERT_TRUE(message.Frame(ContentCoding::kNone, 0).ok());
  const std::string whole = WholeOf(message, 1 << 20);
  for (const size_t piece : {7, 4096, 99'999, 100'001}) EXPECT_EQ(WholeOf(message, piece), whole);
  std::vector<ByteBuffer> messages;
  ASSERT_TRUE(MessageReader(1 << 20).Take(whole, &messages).ok());
  WireReader reader(messages.at(0).view());
  ASSERT_TRUE(reader.Next());
  EXPECT_TRUE(reader.Is(2, WireType::kBytes));
  EXPECT_EQ(reader.bytes(), "head" + large + "between" + large);
}

TEST(OutgoingMessageTest, PacksTheWhole) {
  const std::string large(100'000, 'x');
  OutgoingMessage message;
  message.Append("head");
  message.Append(large);
  ASSERT_TRUE(message.Frame(ContentCoding::kDeflate, 1).ok());
  EXPECT_LT(message.byte_size(), 10'000u);
  std::vector<ByteBuffer> messages;
  ASSERT_TRUE(
      MessageReader(1 << 20, ContentCoding::kDeflate).Take(WholeOf(message, 1 << 20), &messages).ok());
  EXPECT_EQ(messages.at(0).view(), "head" + large);
}

}  // namespace
}  // namespace workbench
