// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/message.h"

#include "capi/error.h"

using workbench::FromHandle;
using workbench::Guard;
using workbench::Message;
using workbench::OkStatus;
using workbench::ToHandle;

extern "C" {

TRITONSERVER_Error* TRITONSERVER_MessageNewFromSerializedJson(TRITONSERVER_Message** message,
                                                              const char* base, size_t byte_size) {
  return Guard([&] {
    *message = ToHandle<TRITONSERVER_Message>(new Message{std::string(base, byte_size)});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MessageSerializeToJson(TRITONSERVER_Message* message, const char** base,
                                                        size_t* byte_size) {
  return Guard([&] {
    const std::string& json = FromHandle<Message>(message)->json;
    *base = json.data();
    *byte_size = json.size();
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MessageDelete(TRITONSERVER_Message* message) {
  return Guard([&] {
    delete FromHandle<Message>(message);
    return OkStatus();
  });
}

}  // extern "C"
