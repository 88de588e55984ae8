// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a profiler's library: counts ranges. Built once with the functions of libnvToolsExt, once
// with the door for injection.
#include <cstddef>
#include <cstdint>
#include <string>

#define WB_VISIBLE extern "C" __attribute__((visibility("default")))

WB_VISIBLE int wb_open_ranges;
WB_VISIBLE int wb_ranges;
WB_VISIBLE char wb_last_range[256];
int wb_open_ranges = 0;
int wb_ranges = 0;
char wb_last_range[256];

namespace {

int Push(const char* name) {
  wb_last_range[std::string(name).copy(wb_last_range, sizeof wb_last_range - 1)] = 0;
  ++wb_ranges;
  return wb_open_ranges++;
}

int Pop() { return --wb_open_ranges; }

}  // namespace

#if defined(WB_INJECTED)
namespace {
using AnyFunction = void (*)();
struct Callbacks {
  size_t byte_size;
  int (*get_module_functions)(uint32_t module, AnyFunction*** table, unsigned* size);
};
}  // namespace

WB_VISIBLE int InitializeInjectionNvtx2(const void* (*get_export_table)(uint32_t)) {
  const auto* const callbacks = static_cast<const Callbacks*>(get_export_table(1));
  AnyFunction** table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->get_module_functions(1, &table, &size) == 0) return 0;
  *table[9] = reinterpret_cast<AnyFunction>(&Push);
  *table[11] = reinterpret_cast<AnyFunction>(&Pop);
  return 1;
}
#else
WB_VISIBLE int nvtxRangePushA(const char* name) { return Push(name); }
WB_VISIBLE int nvtxRangePop() { return Pop(); }
#endif
