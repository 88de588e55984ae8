// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// What a backend says that it copied: no part of the original's interface, so backends ask whether it is
// there.
#include "capi/error.h"
#include "model/model.h"
#include "model/model_instance.h"

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" __attribute__((visibility("default"))) TRITONSERVER_Error* TRITONWORKBENCH_ReportCopy(
    TRITONBACKEND_ModelInstance* instance, uint32_t reason, uint64_t byte_size);

TRITONSERVER_Error* TRITONWORKBENCH_ReportCopy(TRITONBACKEND_ModelInstance* instance, uint32_t reason,
                                               uint64_t byte_size) {
  return Guard([&] {
    if (reason >= kCopyReasonNames.size())
      return InvalidArgumentError("there is no reason " + std::to_string(reason) + " to copy");
    FromHandle<ModelInstance>(instance)->model()->own_statistics().CountCopy(static_cast<CopyReason>(reason),
                                                                             byte_size);
    return OkStatus();
  });
}
