// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a profiler that is injected into the process hears of batches and executions.
#include <cstdlib>

#include "capi/interface_fixture.h"

namespace workbench {
namespace {

template <typename T>
T& Heard(const char* name) {
  return *static_cast<T*>(dlsym(dlopen(WB_NVTX_INJECTION, RTLD_NOW | RTLD_LOCAL), name));
}

TEST_F(InterfaceTest, AProfilerHearsOfEachBatchAndItsExecution) {
  setenv("NVTX_INJECTION64_PATH", WB_NVTX_INJECTION, 1);
  engine_ = TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine({}).value();
  unsetenv("NVTX_INJECTION64_PATH");
  Load();
  Infer();
  Unload();  // the instance's thread is done
  EXPECT_EQ(Heard<int>("wb_ranges"), 2);
  EXPECT_EQ(Heard<int>("wb_open_ranges"), 0);
  EXPECT_STREQ(&Heard<char>("wb_last_range"), "execute");
}

}  // namespace
}  // namespace workbench
