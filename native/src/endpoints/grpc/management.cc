// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/management.h"

#include "endpoints/error.h"
#include "endpoints/grpc/infer_message.h"
#include "endpoints/grpc/infer_request.h"
#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

// A message whose first field is that number, as ModelReadyResponse and its kin are.
GrpcAnswer Told(uint64_t number) {
  GrpcAnswer answer;
  if (number != 0) AppendNumber(1, number, &answer.message);
  return answer;
}

GrpcAnswer Refused(const Status& status) { return {GrpcStatusOf(status), {}}; }

// Of a version that there is not it says no, as the original does.
GrpcAnswer ModelReady(TRITONSERVER_Server* server, std::string_view message) {
  const Result<ModelReadyMessage> asked = ParseModelReady(message);
  if (!asked.ok()) return Refused(asked.status());
  const Result<int64_t> version = VersionOf(asked.value().version, asked.value().name);
  if (!version.ok()) return Refused(version.status());
  bool is_ready = false;
  const std::string name(asked.value().name);
  const Status status =
      TakeStatus(TRITONSERVER_ServerModelIsReady(server, name.c_str(), version.value(), &is_ready));
  return Told(status.ok() && is_ready ? 1 : 0);
}

}  // namespace

std::string HealthStatus(bool is_ready) {
  constexpr uint64_t kServing = 1, kNotServing = 2;
  return Told(is_ready ? kServing : kNotServing).message;
}

GrpcAnswer AskHealth(TRITONSERVER_Server* server, GrpcMethod method, std::string_view message) {
  const Status form = CheckMessage(message, "message of that method");
  if (!form.ok()) return Refused(form);
  if (method == GrpcMethod::kServerLive) return Told(1);
  if (method == GrpcMethod::kModelReady) return ModelReady(server, message);
  bool is_ready = false;
  const Status status = TakeStatus(TRITONSERVER_ServerIsReady(server, &is_ready));
  if (!status.ok()) return Refused(status);
  if (method == GrpcMethod::kServerReady) return Told(is_ready ? 1 : 0);
  return {{}, HealthStatus(is_ready)};  // whatever service is asked for, as the original has it
}

}  // namespace workbench
