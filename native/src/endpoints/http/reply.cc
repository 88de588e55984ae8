// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/reply.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace workbench {

int HttpStatusOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 200;
    case StatusCode::kInternal:
      return 500;
    case StatusCode::kNotFound:
      return 404;
    case StatusCode::kUnavailable:
      return 503;
    case StatusCode::kUnsupported:
      return 501;
    default:
      return 400;
  }
}

const char* ReasonOf(int http_status) {
  switch (http_status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Payload Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

HttpReply ErrorReply(const Status& status) {
  return ErrorReply(HttpStatusOf(status.code()), status.message());
}

HttpReply ErrorReply(int http_status, const std::string& message) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  writer.StartObject();
  writer.Key("error");
  writer.String(message.data(), static_cast<rapidjson::SizeType>(message.size()));
  writer.EndObject();
  HttpReply reply;
  reply.status = http_status;
  reply.body = text.GetString();
  return reply;
}

HttpReply JsonReply(std::string json) {
  HttpReply reply;
  reply.body = std::move(json);
  return reply;
}

}  // namespace workbench
