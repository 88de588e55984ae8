// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/management.h"

#include <memory>
#include <vector>

#include "endpoints/error.h"
#include "endpoints/http/base64.h"
#include "endpoints/http/json.h"
#include "endpoints/http/memory_management.h"

namespace workbench {
namespace {

using Parameters = std::vector<const TRITONSERVER_Parameter*>;

struct DeleteParameter {
  void operator()(TRITONSERVER_Parameter* parameter) const { TRITONSERVER_ParameterDelete(parameter); }
};
using ParameterPtr = std::unique_ptr<TRITONSERVER_Parameter, DeleteParameter>;

HttpReply ReplyOf(const Status& status) { return status.ok() ? HttpReply() : ErrorReply(status); }

template <typename Ask>
HttpReply Told(const Ask& ask) {
  TRITONSERVER_Message* message = nullptr;
  const Status status = TakeStatus(ask(&message));
  return status.ok() ? JsonReply(TakeText(message)) : ErrorReply(status);
}

// No text where it is not so.
template <typename Ask>
HttpReply Healthy(const Ask& ask) {
  bool is_so = false;
  const Status status = TakeStatus(ask(&is_so));
  HttpReply reply;
  if (!status.ok()) reply = ErrorReply(status);
  if (!status.ok() || !is_so) reply.status = 400;
  return reply;
}

template <typename Ask>
HttpReply OfVersion(const HttpRoute& route, const Ask& ask) {
  const Result<int64_t> version = VersionOf(route);
  return version.ok() ? ask(version.value()) : ErrorReply(version.status());
}

// Empty: an empty object.
Result<rapidjson::Document> DocumentOf(std::string_view body) {
  return ParseJson(body.empty() ? std::string_view("{}") : body);
}

HttpReply Index(TRITONSERVER_Server* server, std::string_view body) {
  uint32_t flags = 0;
  const Result<rapidjson::Document> document = DocumentOf(body);
  if (!document.ok()) return ErrorReply(document.status());
  const rapidjson::Value* const ready = Member(document.value(), "ready");
  if (ready != nullptr && ready->IsBool() && ready->GetBool()) flags |= TRITONSERVER_INDEX_FLAG_READY;
  return Told(
      [&](TRITONSERVER_Message** message) { return TRITONSERVER_ServerModelIndex(server, flags, message); });
}

// The parameters of a load; `files` keeps the bytes that they borrow.
Status ReadOverride(const rapidjson::Value& parameters, std::vector<ParameterPtr>* read,
                    std::vector<std::unique_ptr<std::string>>* files) {
  if (!parameters.IsObject()) return InternalError("'parameters' must be an object");
  for (const auto& [key, value] : parameters.GetObject()) {
    const std::string name(key.GetString(), key.GetStringLength());
    ASSIGN_OR_RETURN(const std::string text, TextOf(value, name));
    if (name.rfind("file:", 0) != 0) {
      read->emplace_back(
          TRITONSERVER_ParameterNew(name.c_str(), TRITONSERVER_PARAMETER_STRING, text.c_str()));
      continue;
    }
    ASSIGN_OR_RETURN(std::string bytes, FromBase64(text, name));
    files->push_back(std::make_unique<std::string>(std::move(bytes)));
    read->emplace_back(
        TRITONSERVER_ParameterBytesNew(name.c_str(), files->back()->data(), files->back()->size()));
  }
  return OkStatus();
}

Status Load(TRITONSERVER_Server* server, const std::string& model, std::string_view body) {
  ASSIGN_OR_RETURN(const rapidjson::Document document, DocumentOf(body));
  std::vector<ParameterPtr> read;
  std::vector<std::unique_ptr<std::string>> files;
  if (const rapidjson::Value* const parameters = Member(document, "parameters")) {
    RETURN_IF_ERROR(ReadOverride(*parameters, &read, &files));
  }
  Parameters borrowed;
  for (const ParameterPtr& parameter : read) borrowed.push_back(parameter.get());
  return TakeStatus(
      TRITONSERVER_ServerLoadModelWithParameters(server, model.c_str(), borrowed.data(), borrowed.size()));
}

Status Unload(TRITONSERVER_Server* server, const std::string& model, std::string_view body) {
  ASSIGN_OR_RETURN(const rapidjson::Document document, DocumentOf(body));
  const rapidjson::Value* const dependents = Member(Member(document, "parameters"), "unload_dependents");
  if (dependents == nullptr) return TakeStatus(TRITONSERVER_ServerUnloadModel(server, model.c_str()));
  ASSIGN_OR_RETURN(const bool with_dependents, TruthOf(*dependents, "unload_dependents"));
  if (!with_dependents) return TakeStatus(TRITONSERVER_ServerUnloadModel(server, model.c_str()));
  return TakeStatus(TRITONSERVER_ServerUnloadModelAndDependents(server, model.c_str()));
}

HttpReply OfModel(TRITONSERVER_Server* server, const HttpRoute& route) {
  const char* const name = route.name.c_str();
  return OfVersion(route, [&](int64_t version) {
    switch (route.action) {
      case HttpAction::kModelReady:
        return Healthy(
            [&](bool* ready) { return TRITONSERVER_ServerModelIsReady(server, name, version, ready); });
      case HttpAction::kModelConfig:
        return Told(
            [&](auto** text) { return TRITONSERVER_ServerModelConfig(server, name, version, 1, text); });
      case HttpAction::kModelStatistics:
        return Told(
            [&](auto** text) { return TRITONSERVER_ServerModelStatistics(server, name, version, text); });
      default:
        return Told(
            [&](auto** text) { return TRITONSERVER_ServerModelMetadata(server, name, version, text); });
    }
  });
}

}  // namespace

HttpReply Manage(const ManagedServer& managed, const HttpRoute& route,
                 const std::optional<std::string>& body) {
  TRITONSERVER_Server* const server = managed.server;
  const std::string_view text = body ? std::string_view(*body) : std::string_view();
  switch (route.action) {
    case HttpAction::kServerReady:
      return Healthy([&](bool* ready) { return TRITONSERVER_ServerIsReady(server, ready); });
    case HttpAction::kServerMetadata:
      return Told(
          [&](TRITONSERVER_Message** message) { return TRITONSERVER_ServerMetadata(server, message); });
    case HttpAction::kModelReady:
    case HttpAction::kModelMetadata:
    case HttpAction::kModelConfig:
    case HttpAction::kModelStatistics:
      return OfModel(server, route);
    case HttpAction::kIndex:
      return Index(server, text);
    case HttpAction::kLoad:
      return ReplyOf(Load(server, route.name, text));
    case HttpAction::kUnload:
      return ReplyOf(Unload(server, route.name, text));
    case HttpAction::kTraceSettings:
    case HttpAction::kModelTraceSettings:
      return managed.settings("trace", route.name, body);
    case HttpAction::kLogSettings:
      return managed.settings("log", "", body);
    case HttpAction::kSystemMemoryStatus:
    case HttpAction::kSystemMemoryRegister:
    case HttpAction::kSystemMemoryUnregister:
    case HttpAction::kCudaMemoryStatus:
    case HttpAction::kCudaMemoryRegister:
    case HttpAction::kCudaMemoryUnregister:
      return ManageMemory(managed, route, text);
    default:
      return ErrorReply(UnsupportedError("this server has no such service over HTTP"));
  }
}

}  // namespace workbench
