// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/output_queue.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace workbench {
namespace {

// Two ends of a connection.
class OutputQueueTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  void TearDown() override {
    for (const int end : ends_) close(end);
  }

  std::string ReadThere() {
    std::string got(size_t{1} << 16, '\0');
    const ssize_t count = recv(ends_[1], got.data(), got.size(), MSG_DONTWAIT);
    got.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return got;
  }

  std::array<int, 2> ends_{};
  OutputQueue output_;
};

TEST_F(OutputQueueTest, WritesInOrderWhatWasCopiedAndBorrowed) {
  const auto large = std::make_shared<std::string>(size_t{2} << 20, 'x');
  const std::string wanted = "before" + *large + "between" + *large + "after";
  output_.Copy("before");
  output_.Borrow(*large, large);
  output_.Copy("between");
  output_.Borrow(*large, large);
  output_.Copy("after");
  EXPECT_EQ(output_.byte_size(), wanted.size());
  std::string got;
  while (got.size() < wanted.size()) {
    ASSERT_TRUE(output_.WriteTo(ends_[0]));
    got += ReadThere();
  }
  EXPECT_EQ(got, wanted);
  EXPECT_TRUE(output_.empty());
}

TEST_F(OutputQueueTest, LetsGoOfWhatIsWritten) {
  auto owner = std::make_shared<std::string>("bytes");
  const std::weak_ptr<std::string> seen = owner;
  const std::string_view bytes = *owner;
  output_.Borrow(bytes, std::move(owner));
  EXPECT_FALSE(seen.expired());
  ASSERT_TRUE(output_.WriteTo(ends_[0]));
  EXPECT_TRUE(seen.expired());
}

TEST_F(OutputQueueTest, TellsThatTheOtherEndIsGone) {
  output_.Copy("bytes");
  close(ends_[1]);
  EXPECT_FALSE(output_.WriteTo(ends_[0]));
  ends_[1] = dup(ends_[0]);
}

}  // namespace
}  // namespace workbench
