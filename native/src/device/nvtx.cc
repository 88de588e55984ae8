// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "device/nvtx.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

#include "base/handle.h"

namespace workbench {
namespace {

// What a profiler asks of the program that it is injected into: tables of functions, which it fills with its
// own.
using AnyFunction = void (*)();
constexpr uint32_t kCallbackTable = 1;  // the one table that is asked for by all
constexpr uint32_t kCoreModule = 1;
constexpr unsigned kCoreFunctions = 16;  // numbered from 1
constexpr unsigned kRangePush = 9;
constexpr unsigned kRangePop = 11;

// The process's own, since the profiler is: filled once, before any Nvtx is made.
AnyFunction core_functions[kCoreFunctions + 1];
AnyFunction* core_slots[kCoreFunctions + 1];

int GetModuleFunctions(uint32_t module, AnyFunction*** table, unsigned* size) {
  if (module != kCoreModule) return 0;
  for (unsigned i = 0; i <= kCoreFunctions; ++i) core_slots[i] = &core_functions[i];
  if (table != nullptr) *table = core_slots;
  if (size != nullptr) *size = kCoreFunctions;
  return 1;
}

struct CallbackTable {
  size_t byte_size;
  int (*get_module_functions)(uint32_t module, AnyFunction*** table, unsigned* size);
};

const void* GetExportTable(uint32_t table) {
  static const CallbackTable callbacks{sizeof(CallbackTable), GetModuleFunctions};
  return table == kCallbackTable ? &callbacks : nullptr;
}

template <typename Function>
Function Find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

std::unique_ptr<const Nvtx> Nvtx::Open(const std::string& injection, const std::string& library) {
  if (!injection.empty()) {
    if (auto nvtx = OpenInjection(injection)) return nvtx;
  }
  return OpenLibrary(library);
}

std::unique_ptr<const Nvtx> Nvtx::OpenInjection(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  using Initialize = int (*)(const void* (*get_export_table)(uint32_t));
  const auto initialize = Find<Initialize>(library, "InitializeInjectionNvtx2");
  if (initialize == nullptr || initialize(GetExportTable) == 0) return nullptr;
  const auto push = reinterpret_cast<PushFunction>(core_functions[kRangePush]);
  const auto pop = reinterpret_cast<PopFunction>(core_functions[kRangePop]);
  if (push == nullptr || pop == nullptr) return nullptr;
  return std::unique_ptr<const Nvtx>(new Nvtx(push, pop));
}

std::unique_ptr<const Nvtx> Nvtx::OpenLibrary(const std::string& name) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto push = Find<PushFunction>(library, "nvtxRangePushA");
  const auto pop = Find<PopFunction>(library, "nvtxRangePop");
  if (push == nullptr || pop == nullptr) return nullptr;
  return std::unique_ptr<const Nvtx>(new Nvtx(push, pop));
}

}  // namespace workbench
