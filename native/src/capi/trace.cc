// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Requests carry no trace: backends that report to one are heard and nothing is kept.
#include "capi/error.h"

extern "C" {

TRITONSERVER_Error* TRITONSERVER_InferenceTraceReportActivity(TRITONSERVER_InferenceTrace* trace,
                                                              uint64_t timestamp, const char* activity_name) {
  return nullptr;
}

}  // extern "C"
