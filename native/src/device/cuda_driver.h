// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaDriver: the one door to GPUs. Opens the CUDA driver library at run time, for most machines have none;
// nothing is asked of a GPU before somebody wants one. Shared by whoever holds memory of a GPU. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "workbench/backend/cuda_functions.hpp"

namespace workbench {

class CudaDevice;

class CudaDriver {
 public:
  static constexpr const char* kLibrary = "libcuda.so.1";

  // UNSUPPORTED, with the reason, where there is no driver or no GPU. library: empty for the machine's own.
  static Result<std::shared_ptr<CudaDriver>> Open(const std::string& library = "");
  ~CudaDriver();

  int device_count() const { return device_count_; }
  int version() const { return version_; }  // 1000 * major + 10 * minor of the CUDA that it offers
  // The device, with its primary context, from the first call on. NOT_FOUND for a number that none has.
  Result<CudaDevice*> Device(int ordinal) EXCLUDES(mutex_);
  // Whether somebody asked for that device already.
  bool is_open(int ordinal) const EXCLUDES(mutex_);

  const cuda::Functions& functions() const { return functions_; }
  // What a result code of `function` means; byte_size and a place are the caller's to add.
  Status StatusOf(int code, const char* function) const;

 private:
  explicit CudaDriver(const cuda::Functions& functions);

  // Constant.
  const cuda::Functions functions_;
  int device_count_ = 0;
  int version_ = 0;

  // Guarded.
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<CudaDevice>> devices_ GUARDED_BY(mutex_);  // null: nobody asked
};

}  // namespace workbench
