// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/memory_management.h"

#include <string>

#include "endpoints/http/base64.h"
#include "endpoints/http/json.h"
#include "endpoints/http/memory_status.h"

namespace workbench {
namespace {

Status RegisterSystem(SharedMemory* memory, const std::string& name, std::string_view body) {
  ASSIGN_OR_RETURN(const rapidjson::Document document, ParseJson(body));
  if (Member(document, "key") == nullptr) return InvalidArgumentError("the body lacks 'key'");
  ASSIGN_OR_RETURN(const std::string key, TextMember(document, "key", "the body"));
  const rapidjson::Value* const size = Member(document, "byte_size");
  if (size == nullptr) return InvalidArgumentError("the body lacks 'byte_size'");
  ASSIGN_OR_RETURN(const uint64_t byte_size, CountOf(*size, "byte_size"));
  uint64_t offset = 0;
  if (const rapidjson::Value* const from = Member(document, "offset")) {
    ASSIGN_OR_RETURN(offset, CountOf(*from, "offset"));
  }
  return memory->Register(name, key, offset, byte_size);
}

Status RegisterCuda(const ManagedServer& managed, const std::string& name, std::string_view body) {
  ASSIGN_OR_RETURN(const rapidjson::Document document, ParseJson(body));
  for (const char* const field : {"raw_handle", "device_id", "byte_size"}) {
    if (Member(document, field) == nullptr)
      return InvalidArgumentError(std::string("the body lacks '") + field + "'");
  }
  const rapidjson::Value* const text = Member(Member(document, "raw_handle"), "b64");
  if (text == nullptr) return InvalidArgumentError("'raw_handle' lacks 'b64'");
  ASSIGN_OR_RETURN(const std::string encoded, TextOf(*text, "b64 of raw_handle"));
  ASSIGN_OR_RETURN(const std::string handle, FromBase64(encoded, "b64 of raw_handle"));
  ASSIGN_OR_RETURN(const uint64_t device_id, CountOf(*Member(document, "device_id"), "device_id"));
  ASSIGN_OR_RETURN(const uint64_t byte_size, CountOf(*Member(document, "byte_size"), "byte_size"));
  return managed.memory->RegisterCuda(managed.server, name, handle, static_cast<int64_t>(device_id),
                                      byte_size);
}

Status Unregister(SharedMemory* memory, SharedMemoryKind kind, const std::string& name) {
  return name.empty() ? memory->UnregisterAll(kind) : memory->Unregister(name, kind);
}

HttpReply ReplyOf(const Status& status) { return status.ok() ? HttpReply() : ErrorReply(status); }

}  // namespace

HttpReply ManageMemory(const ManagedServer& managed, const HttpRoute& route, std::string_view body) {
  SharedMemory* const memory = managed.memory;
  switch (route.action) {
    case HttpAction::kSystemMemoryStatus:
      return MemoryStatus(*memory, SharedMemoryKind::kSystem, route.name);
    case HttpAction::kSystemMemoryRegister:
      return ReplyOf(RegisterSystem(memory, route.name, body));
    case HttpAction::kSystemMemoryUnregister:
      return ReplyOf(Unregister(memory, SharedMemoryKind::kSystem, route.name));
    case HttpAction::kCudaMemoryStatus:
      return MemoryStatus(*memory, SharedMemoryKind::kCuda, route.name);
    case HttpAction::kCudaMemoryRegister:
      return ReplyOf(RegisterCuda(managed, route.name, body));
    default:
      return ReplyOf(Unregister(memory, SharedMemoryKind::kCuda, route.name));
  }
}

}  // namespace workbench
