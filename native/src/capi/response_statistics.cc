// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Statistics of single responses of decoupled models.
#include "capi/error.h"
#include "inference/response_factory.h"
#include "model/model.h"
#include "triton/core/tritonbackend.h"

namespace workbench {
namespace {

// What a backend says of one response; all of it is required by the interface.
struct ResponseStatistics {
  Model* model = nullptr;  // the factory keeps it, also when its instance is gone
  ResponseFactory* factory = nullptr;
  ResponseTimes times;
  StatusCode outcome = StatusCode::kOk;
};

ResponseStatistics& Unwrap(TRITONBACKEND_ModelInstanceResponseStatistics* statistics) {
  return *FromHandle<ResponseStatistics>(statistics);
}

StatusCode OutcomeOf(TRITONSERVER_Error* error) {  // lent: the backend deletes it
  return error == nullptr ? StatusCode::kOk : FromHandle<ErrorObject>(error)->code;
}

Status Report(const ResponseStatistics& statistics) {
  if (statistics.model == nullptr || statistics.factory == nullptr) {
    return InvalidArgumentError(
        "statistics of a response need the instance and the factory that it comes from");
  }
  return statistics.model->own_statistics().CountResponse(statistics.factory->NextIndex(), statistics.times,
                                                          statistics.outcome);
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
    Unwrap(response_statistics).model = FromHandle<ModelInstance>(model_instance)->model();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseFactory(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics,
    TRITONBACKEND_ResponseFactory* response_factory) {
  return Guard([&] {
    Unwrap(response_statistics).factory = FromHandle<ResponseFactory>(response_factory);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseStart(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, uint64_t response_start) {
  return Guard([&] {
    Unwrap(response_statistics).times.start_ns = response_start;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetComputeOutputStart(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, uint64_t compute_output_start) {
  return Guard([&] {
    Unwrap(response_statistics).times.output_start_ns = compute_output_start;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseEnd(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, uint64_t response_end) {
  return Guard([&] {
    Unwrap(response_statistics).times.end_ns = response_end;
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceResponseStatisticsSetError(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics, TRITONSERVER_Error* error) {
  return Guard([&] {
    Unwrap(response_statistics).outcome = OutcomeOf(error);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportResponseStatistics(
    TRITONBACKEND_ModelInstanceResponseStatistics* response_statistics) {
  return Guard([&] { return Report(Unwrap(response_statistics)); });
}

}  // extern "C"
