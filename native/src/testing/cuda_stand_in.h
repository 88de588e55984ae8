// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaStandIn: the stand-in for the CUDA driver (tests/stand_ins/cuda) as a test wants it. WB_CUDA_STAND_IN
// is its path. One at a time.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace workbench {

class CudaStandIn {
 public:
  struct Options {
    int devices = 1;
    size_t device_byte_size = size_t{64} << 20;
    size_t pinned_byte_size = size_t{64} << 20;
    unsigned delay_us = 200;
    std::string faults;  // "cuMemAlloc_v2:2:2": the second call answers 2; of number 0: every call
  };

  CudaStandIn() : CudaStandIn(Options()) {}
  explicit CudaStandIn(const Options& options)
      : library_(dlopen(WB_CUDA_STAND_IN, RTLD_NOW | RTLD_LOCAL)), options_(options) {
    Apply();
  }
  ~CudaStandIn() {
    options_ = Options();
    Apply();
  }
  CudaStandIn(const CudaStandIn&) = delete;
  CudaStandIn& operator=(const CudaStandIn&) = delete;

  static std::string path() { return WB_CUDA_STAND_IN; }
  // From now on; calls are counted anew.
  void Fail(const std::string& faults) {
    options_.faults = faults;
    Apply();
  }
  // Uses of freed memory, calls of the driver where none is allowed, ...
  long violations() const { return Find<long()>("wbStandInViolations")(); }
  long calls(const char* symbol) const { return Find<long(const char*)>("wbStandInCalls")(symbol); }
  // Bytes that are allocated on a device; -1: page-locked ones.
  size_t live_byte_size(int device) const { return Find<size_t(int)>("wbStandInLive")(device); }
  std::vector<char> Read(const void* bytes, size_t byte_size) const {
    std::vector<char> copy(byte_size);
    const auto read = Find<int(void*, const void*, size_t)>("wbStandInRead");
    return read(copy.data(), bytes, byte_size) == 0 ? copy : std::vector<char>();
  }

 private:
  template <typename Function>
  Function* Find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  void Apply() const {
    setenv("WB_STAND_IN_CUDA_DEVICES", std::to_string(options_.devices).c_str(), 1);
    setenv("WB_STAND_IN_CUDA_MEMORY", std::to_string(options_.device_byte_size).c_str(), 1);
    setenv("WB_STAND_IN_CUDA_PINNED", std::to_string(options_.pinned_byte_size).c_str(), 1);
    setenv("WB_STAND_IN_CUDA_DELAY_US", std::to_string(options_.delay_us).c_str(), 1);
    setenv("WB_STAND_IN_CUDA_FAIL", options_.faults.c_str(), 1);
    Find<void()>("wbStandInReset")();
  }

  void* const library_;
  Options options_;
};

}  // namespace workbench
