// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/metrics_page.h"

#include "endpoints/error.h"

namespace workbench {

HttpReply MetricsPage(TRITONSERVER_Server* server) {
  TRITONSERVER_Metrics* metrics = nullptr;
  const Status status = TakeStatus(TRITONSERVER_ServerMetrics(server, &metrics));
  if (!status.ok()) return ErrorReply(status);
  const char* base = nullptr;
  size_t byte_size = 0;
  const Status told =
      TakeStatus(TRITONSERVER_MetricsFormatted(metrics, TRITONSERVER_METRIC_PROMETHEUS, &base, &byte_size));
  HttpReply reply = told.ok() ? HttpReply() : ErrorReply(told);
  if (told.ok()) {
    reply.content_type = "text/plain; charset=utf-8";
    reply.body.assign(base, byte_size);
  }
  (void)TakeStatus(TRITONSERVER_MetricsDelete(metrics));
  return reply;
}

}  // namespace workbench
