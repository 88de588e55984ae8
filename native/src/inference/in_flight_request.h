// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InFlightRequest: a request without an answer, as whoever waits for it is told.
#pragma once

#include <cstdint>
#include <string>

namespace workbench {

struct InFlightRequest {
  uint64_t serial = 0;
  uint64_t arrival_ns = 0;
  std::string request_id;  // the first 32 letters
};

}  // namespace workbench
