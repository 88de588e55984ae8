// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/compression.h"

#include <gtest/gtest.h>

#include "endpoints/http/base64.h"

namespace workbench {
namespace {

constexpr size_t kLimit = size_t{1} << 20;

TEST(CompressionTest, WhatIsPackedIsUnpacked) {
  const std::string text(200'000, 'x');
  for (const auto coding : {ContentCoding::kGzip, ContentCoding::kDeflate}) {
    const std::string packed = Compress(text, coding).value();
    EXPECT_LT(packed.size(), 2000u);
    EXPECT_EQ(Decompress(packed, coding, kLimit).value(), text);
  }
}

TEST(CompressionTest, ABombIsStoppedAtTheLimit) {
  const std::string packed = Compress(std::string(10 * kLimit, 'x'), ContentCoding::kGzip).value();
  EXPECT_EQ(Decompress(packed, ContentCoding::kGzip, kLimit).status().code(), StatusCode::kInvalidArgument);
}

TEST(CompressionTest, EveryTruncationIsAnError) {
  const std::string packed = Compress("some text that is packed", ContentCoding::kDeflate).value();
  for (size_t length = 0; length < packed.size(); ++length) {
    EXPECT_FALSE(Decompress(packed.substr(0, length), ContentCoding::kDeflate, kLimit).ok()) << length;
  }
}

TEST(CompressionTest, HeadersNameTheCoding) {
  EXPECT_EQ(CodingNamed("GZip").value(), ContentCoding::kGzip);
  EXPECT_EQ(CodingNamed("br").status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(CodingAccepted("br, deflate;q=0.5"), ContentCoding::kDeflate);
  EXPECT_EQ(CodingAccepted(""), ContentCoding::kNone);
}

TEST(Base64Test, IsReadWithAndWithoutPadding) {
  EXPECT_EQ(FromBase64("", "f").value(), "");
  EXPECT_EQ(FromBase64("Zg==", "f").value(), "f");
  EXPECT_EQ(FromBase64("b24=", "f").value(), "on");
  EXPECT_EQ(FromBase64("Zm9v", "f").value(), "foo");
  EXPECT_EQ(FromBase64("+/8A", "f").value(), std::string("\xfb\xff\0", 3));
}

TEST(Base64Test, WhatIsNoneIsAnError) {
  for (const char* text : {"Z", "Zg", "Zg=", "Z===", "Zm9v!", "Zm 9v", "=", "===="}) {
    EXPECT_FALSE(FromBase64(text, "f").ok()) << text;
  }
}

}  // namespace
}  // namespace workbench
