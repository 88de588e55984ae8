// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Nvtx: names ranges of a thread's time for NVIDIA's profilers, by whichever of their two doors there is: the
// library libnvToolsExt, or the library that a profiler injects. Opened at run time, for nothing here needs
// them. Immutable; any thread.
#pragma once

#include <memory>
#include <string>

namespace workbench {

class Nvtx {
 public:
  // Null where there is neither. injection: path of a profiler's library, empty for none; library: name of
  // the other.
  static std::unique_ptr<const Nvtx> Open(const std::string& injection,
                                          const std::string& library = "libnvToolsExt.so.1");

  // Opens a range on the calling thread; ranges nest.
  void Push(const char* name) const { push_(name); }
  void Pop() const { pop_(); }

 private:
  using PushFunction = int (*)(const char*);
  using PopFunction = int (*)();
  Nvtx(PushFunction push, PopFunction pop) : push_(push), pop_(pop) {}
  static std::unique_ptr<const Nvtx> OpenInjection(const std::string& path);
  static std::unique_ptr<const Nvtx> OpenLibrary(const std::string& name);

  const PushFunction push_;
  const PopFunction pop_;
};

// A range that lasts as long as it does; nothing where nvtx is null.
class NvtxRange {
 public:
  NvtxRange(const Nvtx* nvtx, const std::string& name) : nvtx_(nvtx) {
    if (nvtx_ != nullptr) nvtx_->Push(name.c_str());
  }
  ~NvtxRange() {
    if (nvtx_ != nullptr) nvtx_->Pop();
  }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;

 private:
  const Nvtx* const nvtx_;
};

}  // namespace workbench
