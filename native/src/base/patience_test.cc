// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/patience.h"

#include <gtest/gtest.h>

#include <new>
#include <thread>

namespace workbench {
namespace {

TEST(PatienceTest, IsOfItsScopeAndThread) {
  const Patience patience;
  {
    const Patience none(false);
    EXPECT_FALSE(Patience::has());
  }
  EXPECT_TRUE(Patience::has());
  std::thread([] { EXPECT_FALSE(Patience::has()); }).join();
}

TEST(PatienceTest, WithoutItMemoryThatIsNotThereIsAnException) {
  Patience::Install();
  const std::new_handler handler = std::get_new_handler();
  ASSERT_NE(handler, nullptr);
  EXPECT_THROW(handler(), std::bad_alloc);
}

TEST(PatienceTest, WithItTheAllocationIsTriedAgain) {
  Patience::Install();
  const Patience patience;
  EXPECT_NO_THROW(std::get_new_handler()());
}

}  // namespace
}  // namespace workbench
