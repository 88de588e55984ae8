// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/buffer.h"

#include <gtest/gtest.h>

#include "testing/counting_resource.h"

namespace workbench {
namespace {

class BufferTest : public testing::Test {
 protected:
  Buffer Allocate(size_t byte_size) { return Buffer::Allocate(resource_, byte_size).value(); }
  CountingResource resource_{{MemoryType::kCpuPinned, 3}};
};

TEST_F(BufferTest, GivesItsBytesBackWhenItGoes) {
  {
    Buffer buffer = Allocate(100);
    EXPECT_EQ(buffer.byte_size(), 100u);
    EXPECT_EQ(resource_.live_byte_size(), 100u);
  }
  EXPECT_EQ(resource_.live_count(), 0u);
  EXPECT_EQ(resource_.mistakes(), 0u);
}

TEST_F(BufferTest, HasNoBytesAtFirst) {
  Buffer buffer;
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_EQ(buffer.data(), nullptr);
}

TEST_F(BufferTest, MovesItsBytesAndKeepsNone) {
  Buffer first = Allocate(100);
  char* const bytes = first.data();
  Buffer second = std::move(first);
  EXPECT_EQ(second.data(), bytes);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): what is left is what is tested
  EXPECT_EQ(resource_.live_count(), 1u);
}

TEST_F(BufferTest, ReleasesWhatItHeldWhenAnotherMovesIn) {
  Buffer buffer = Allocate(100);
  buffer = Allocate(50);
  EXPECT_EQ(resource_.live_byte_size(), 50u);
  Buffer& itself = buffer;
  buffer = std::move(itself);
  EXPECT_EQ(buffer.byte_size(), 50u);
}

TEST_F(BufferTest, SaysWhereItLies) {
  const BufferAttributes attributes = Allocate(100).attributes();
  EXPECT_EQ(attributes.place.type, MemoryType::kCpuPinned);
  EXPECT_EQ(attributes.place.id, 3);
  EXPECT_EQ(attributes.byte_size, 100u);
}

TEST_F(BufferTest, PassesTheReasonOnWhenThereAreNoBytes) {
  resource_.SetExhausted(true);
  EXPECT_EQ(Buffer::Allocate(resource_, 1).status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace workbench
