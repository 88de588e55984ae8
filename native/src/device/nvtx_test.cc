// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/nvtx.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workbench {
namespace {

// What the stand-in has heard.
template <typename T>
T& Heard(const char* library, const char* name) {
  return *static_cast<T*>(dlsym(dlopen(library, RTLD_NOW | RTLD_LOCAL), name));
}

class NvtxTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<const Nvtx> Open() {
    const std::string library = GetParam();
    return library == WB_NVTX_INJECTION ? Nvtx::Open(library, "") : Nvtx::Open("", library);
  }
};

TEST_P(NvtxTest, RangesNestAndEnd) {
  const auto nvtx = Open();
  ASSERT_NE(nvtx, nullptr);
  {
    const NvtxRange outer(nvtx.get(), "batch");
    const NvtxRange inner(nvtx.get(), "execution");
    EXPECT_EQ(Heard<int>(GetParam(), "wb_open_ranges"), 2);
    EXPECT_STREQ(&Heard<char>(GetParam(), "wb_last_range"), "execution");
  }
  EXPECT_EQ(Heard<int>(GetParam(), "wb_open_ranges"), 0);
}

INSTANTIATE_TEST_SUITE_P(Doors, NvtxTest, testing::Values(WB_NVTX_LIBRARY, WB_NVTX_INJECTION));

TEST(NvtxAbsentTest, IsNothing) {
  EXPECT_EQ(Nvtx::Open("", "libnothing_at_all.so"), nullptr);
  EXPECT_EQ(Nvtx::Open("/nowhere/at/all.so", "libnothing_at_all.so"), nullptr);
  const NvtxRange range(nullptr, "nobody hears");
}

}  // namespace
}  // namespace workbench
