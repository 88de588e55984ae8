// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace workbench {

struct GrpcOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 0;  // 0: one that is free
  unsigned loop_count = 1;
  size_t max_message_byte_size = (size_t{1} << 31) - 1;
  size_t max_unread_byte_size = size_t{256} << 20;  // answers of one stream that its client does not read
  unsigned slow_client_s = 60;                      // how long a message may take to arrive
  std::string token;          // what clients send as authorization: Bearer; empty: nothing
  int compression_level = 0;  // of answers to inferences, where the client takes it: 1 to 9; 0: none
};

}  // namespace workbench
