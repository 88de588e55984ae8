// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Message: JSON text behind a TRITONSERVER_Message handle.
#pragma once

#include <string>

namespace workbench {

struct Message {
  std::string json;
};

}  // namespace workbench
