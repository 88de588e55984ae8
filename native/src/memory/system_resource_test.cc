// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/system_resource.h"

#include "memory/memory_resource_contract.h"

namespace workbench {
namespace {

struct SystemSubject {
  MemoryResource& resource() { return *system; }
  std::unique_ptr<SystemResource> system = SystemResource::Create();
};
INSTANTIATE_TYPED_TEST_SUITE_P(System, MemoryResourceContract, SystemSubject);

TEST(SystemResourceTest, LiesInTheMachinesOwnMemory) {
  EXPECT_EQ(SystemResource::Create()->place().type, MemoryType::kCpu);
}

}  // namespace
}  // namespace workbench
