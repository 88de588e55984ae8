// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Statistics of single responses of decoupled models: taken, and not yet shown anywhere.
#include "capi/error.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

// What a backend says of one response; all of it is required by the interface.
struct ResponseStatistics {
  TRITONBACKEND_ModelInstance* instance = nullptr;
  TRITONBACKEND_ResponseFactory* factory = nullptr;
  uint64_t start_ns = 0;
  uint64_t compute_output_start_ns = 0;
  uint64_t end_ns = 0;
  TRITONSERVER_Error* error = nullptr;
};

ResponseStatistics& Unwrap(TRITONBACKEND_ModelInstanceResponseStatistics* statistics) {
  return *FromHandle<ResponseStatistics>(statistics);
}

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsNew(
    TRITONBACKEND_ModelInstanceResponseStatistics** response_statistics) {
  return Guard([&] {
    *response_statistics = ToHandle<TRITONBACKEND_ModelInstanceResponseStatistics>(new ResponseStatistics());
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsDelete(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics) {
  return Guard([&] {
    delete &Unwrap(response_statistics);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetModelInstance(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics,
    TRITONBACKEND_ModelInstance* model_instance) {
  return Guard([&] {
    Unwrap(response_statistics).instance = model_instance;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseFactory(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics,
    TRITONBACKEND_ResponseFactory* response_factory) {
  return Guard([&] {
    Unwrap(response_statistics).factory = response_factory;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseStart(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, uint64_t response_start) {
  return Guard([&] {
    Unwrap(response_statistics).start_ns = response_start;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetComputeOutputStart(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, uint64_t compute_output_start) {
  return Guard([&] {
    Unwrap(response_statistics).compute_output_start_ns = compute_output_start;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseEnd(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, uint64_t response_end) {
  return Guard([&] {
    Unwrap(response_statistics).end_ns = response_end;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetError(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, TRITONSERVER_Error* error) {
  return Guard([&] {
    Unwrap(response_statistics).error = error;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportResponseStatistics(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics) {
  return Guard([&] {
    const ResponseStatistics& statistics = Unwrap(response_statistics);
    if (statistics.instance == nullptr || statistics.factory == nullptr || statistics.start_ns == 0 ||
        statistics.end_ns == 0) {
      return InvalidArgumentError("response statistics need an instance, a factory, a start and an end");
    }
    return OkStatus();
  });
}

}  // extern "C"
