// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/event_stream.h"

#include <cstdio>
#include <utility>

#include "endpoints/http/reply.h"

namespace workbench {
namespace {

constexpr char kHead[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n";

}  // namespace

void EventStream::Add(const Result<std::string>& json) {
  if (is_refused()) return;
  if (!json.ok() && !has_begun_) {
    refusal_ = json.status();
    return;
  }
  Append("data: " + (json.ok() ? json.value() : ErrorReply(json.status()).body) + "\n\n");
}

void EventStream::Append(const std::string& event) {
  if (!std::exchange(has_begun_, true)) pending_ += kHead;
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", event.size());
  pending_.append(size).append(event).append("\r\n");
}

void EventStream::End() {
  if (is_refused() || std::exchange(has_ended_, true)) return;
  if (!std::exchange(has_begun_, true)) pending_ += kHead;
  pending_ += "0\r\n\r\n";
}

std::string EventStream::Take() { return std::exchange(pending_, std::string()); }

}  // namespace workbench
