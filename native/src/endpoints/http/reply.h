// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpReply: what is written back.
#pragma once

#include <boost/asio/buffer.hpp>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "endpoints/inference.h"

namespace workbench {

// Tells how much of a body is JSON, where bytes follow it.
constexpr char kJsonSizeHeader[] = "Inference-Header-Content-Length";

struct HttpReply {
  int status = 200;
  const char* content_type = "application/json";
  std::vector<std::pair<const char*, std::string>> fields;  // of the head, beside those that each reply has
  std::optional<size_t> json_size;                          // where bytes follow the JSON: how long it is
  std::string body;
  std::vector<boost::asio::const_buffer> tail;  // goes after the body; borrowed from `owned` and `converted`
  std::vector<ResponsePtr> owned;
  std::deque<std::string> converted;  // whose texts stay where they are

  size_t byte_size() const { return body.size() + boost::asio::buffer_size(tail); }
};

// The original's: INTERNAL 500, NOT_FOUND 404, UNAVAILABLE 503, UNSUPPORTED 501, others 400.
int HttpStatusOf(StatusCode code);
const char* ReasonOf(int http_status);
HttpReply ErrorReply(const Status& status);
HttpReply ErrorReply(int http_status, const std::string& message);
HttpReply JsonReply(std::string json);

}  // namespace workbench
