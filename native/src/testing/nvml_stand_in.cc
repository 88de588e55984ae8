// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for NVIDIA's management library: two GPUs, of which the second tells of its memory alone.
#include <cstdint>
#include <cstdio>

#define WB_VISIBLE extern "C" __attribute__((visibility("default")))

namespace {
bool IsFirst(void* device) { return reinterpret_cast<uintptr_t>(device) == 1; }
}  // namespace

WB_VISIBLE int nvmlInit_v2() { return 0; }
WB_VISIBLE int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
WB_VISIBLE int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<uintptr_t>(index) + 1);
  return 0;
}
WB_VISIBLE int nvmlDeviceGetUUID(void* device, char* uuid, unsigned length) {
  std::snprintf(uuid, length, "GPU-%d", IsFirst(device) ? 0 : 1);
  return 0;
}
WB_VISIBLE int nvmlDeviceGetUtilizationRates(void* device, unsigned* utilization) {
  utilization[0] = 25;
  return IsFirst(device) ? 0 : 3;
}
WB_VISIBLE int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 1000;
  memory[1] = 600;
  memory[2] = 400;
  return 0;
}
WB_VISIBLE int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  *milliwatts = 70'500;
  return IsFirst(device) ? 0 : 3;
}
