// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace workbench {

struct HttpOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 0;  // 0: one that is free
  unsigned loop_count = 1;
  size_t max_body_byte_size = size_t{64} << 20;
  unsigned slow_client_s = 60;  // how long a request may take to arrive
  std::string token;            // what clients send as Authorization: Bearer; empty: nothing
  bool serves_inference = true;
  bool serves_metrics = false;
};

}  // namespace workbench
