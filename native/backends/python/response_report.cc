// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "response_report.h"

#include <chrono>
#include <utility>

namespace workbench::python_backend {
namespace {

uint64_t Now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace

ResponseReport::ResponseReport(TRITONBACKEND_ModelInstance* instance, TRITONBACKEND_ResponseFactory* factory)
    : start_ns_(Now()) {
  Check(TRITONBACKEND_ModelInstanceResponseStatisticsNew(&statistics_));
  Check(TRITONBACKEND_ModelInstanceResponseStatisticsSetModelInstance(statistics_, instance));
  Check(TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseFactory(statistics_, factory));
}

ResponseReport::~ResponseReport() {
  detail::LogFailure(TRITONBACKEND_ModelInstanceResponseStatisticsDelete(statistics_), "ending a report");
}

void ResponseReport::BeginOutput() { output_start_ns_ = Now(); }

// A failure is not the model's: its response goes all the same.
void ResponseReport::End(TRITONSERVER_Error* error) {
  const uint64_t end_ns = Now();
  const auto note = [](TRITONSERVER_Error* failure) { detail::LogFailure(failure, "counting a response"); };
  note(TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseStart(statistics_, start_ns_));
  note(TRITONBACKEND_ModelInstanceResponseStatisticsSetComputeOutputStart(
      statistics_, std::exchange(output_start_ns_, 0)));
  note(TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseEnd(statistics_, end_ns));
  note(TRITONBACKEND_ModelInstanceResponseStatisticsSetError(statistics_, error));
  note(TRITONBACKEND_ModelInstanceReportResponseStatistics(statistics_));
  start_ns_ = end_ns;
}

}  // namespace workbench::python_backend
