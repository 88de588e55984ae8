// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/message_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace workbench {
namespace {

std::string Framed(const std::string& message, char flag = 0) {
  const auto size = static_cast<uint32_t>(message.size());
  return std::string{flag, static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                     static_cast<char>(size >> 8), static_cast<char>(size)} +
         message;
}

TEST(MessageReaderTest, TakesMessagesInAnyPieces) {
  const std::string bytes = Framed("first") + Framed("") + Framed("third");
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    MessageReader reader(100);
    std::vector<ByteBuffer> messages;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      ASSERT_TRUE(reader.Take(std::string_view(bytes).substr(at, piece), &messages).ok());
    }
    ASSERT_EQ(messages.size(), 3u) << piece;
    EXPECT_EQ(messages[0].view(), "first");
    EXPECT_EQ(messages[1].view(), "");
    EXPECT_EQ(messages[2].view(), "third");
    EXPECT_FALSE(reader.is_within_message());
  }
}

TEST(MessageReaderTest, RefusesMessagesBeyondTheLimitBeforeTheyCome) {
  MessageReader reader(4);
  std::vector<ByteBuffer> messages;
  EXPECT_EQ(reader.Take(Framed("12345").substr(0, 5), &messages).code, GrpcCode::kResourceExhausted);
}

TEST(MessageReaderTest, RefusesFramesThatAreNone) {
  std::vector<ByteBuffer> messages;
  EXPECT_EQ(MessageReader(9).Take(Framed("x", 2), &messages).code, GrpcCode::kInternal);
  EXPECT_EQ(MessageReader(9).Take(Framed("x", 1), &messages).code, GrpcCode::kInternal);
}

TEST(MessageReaderTest, UnpacksAndLimitsWhatIsUnpacked) {
  const std::string packed = Compress(std::string(1000, 'x'), ContentCoding::kGzip).value();
  std::vector<ByteBuffer> messages;
  ASSERT_TRUE(MessageReader(1000, ContentCoding::kGzip).Take(Framed(packed, 1), &messages).ok());
  EXPECT_EQ(messages.at(0).view(), std::string(1000, 'x'));
  EXPECT_EQ(MessageReader(999, ContentCoding::kGzip).Take(Framed(packed, 1), &messages).code,
            GrpcCode::kResourceExhausted);
  EXPECT_EQ(MessageReader(999, ContentCoding::kGzip).Take(Framed("junk", 1), &messages).code,
            GrpcCode::kInternal);
}

TEST(MessageReaderTest, AnnouncedBytesGetNoRoomBeforeTheyCome) {
  MessageReader reader(UINT32_MAX);
  std::vector<ByteBuffer> messages;
  EXPECT_TRUE(reader.Take(std::string_view("\0\xff\xff\xff\xffx", 6), &messages).ok());
  EXPECT_TRUE(reader.is_within_message());
}

}  // namespace
}  // namespace workbench
