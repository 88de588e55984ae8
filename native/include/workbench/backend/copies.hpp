// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a backend copied, for the server's statistics. A server that does not ask is not told: the function is
// no part of the interface, and is looked for when the backend is opened.
#pragma once

#include <cstdint>

#include "triton/core/tritonbackend.h"
#include "workbench/backend/error.hpp"

extern "C" __attribute__((weak, visibility("default"))) TRITONSERVER_Error* TRITONWORKBENCH_ReportCopy(
    TRITONBACKEND_ModelInstance* instance, uint32_t reason, uint64_t byte_size);

namespace workbench {

enum class CopyReason : uint32_t {
  kDeviceToHost = 2,
  kHostToDevice = 3,
  kGathered = 4,
  kScattered = 5,
  kBroughtHome = 6
};

inline void ReportCopy(TRITONBACKEND_ModelInstance* instance, CopyReason reason, uint64_t byte_size) {
  if (TRITONWORKBENCH_ReportCopy == nullptr || byte_size == 0) return;
  detail::LogFailure(TRITONWORKBENCH_ReportCopy(instance, static_cast<uint32_t>(reason), byte_size),
                     "reporting a copy");
}

}  // namespace workbench
