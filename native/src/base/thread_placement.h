// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadPlacement: on which processors a thread runs and from which memory node it allocates: a host policy's
// settings `cpu-cores` and `numa-node`. A value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace workbench {

struct ThreadPlacement {
  std::vector<int> cores;  // empty: any
  int numa_node = -1;      // -1: any

  // "0-3,8" are five cores. INVALID_ARGUMENT names the setting that is wrong.
  static Result<ThreadPlacement> Parse(const std::map<std::string, std::string>& settings);
  bool is_anywhere() const { return cores.empty() && numa_node < 0; }
};

// Places the calling thread. INTERNAL where the machine does not allow it.
Status PlaceThisThread(const ThreadPlacement& placement);

// Places the calling thread until its end, then puts it back where it was.
class ScopedThreadPlacement {
 public:
  explicit ScopedThreadPlacement(const ThreadPlacement& placement);
  ~ScopedThreadPlacement();
  ScopedThreadPlacement(const ScopedThreadPlacement&) = delete;
  ScopedThreadPlacement& operator=(const ScopedThreadPlacement&) = delete;

  const Status& status() const { return status_; }

 private:
  const bool has_cores_;
  const bool has_node_;
  std::vector<int> cores_before_;
  Status status_;
};

}  // namespace workbench
