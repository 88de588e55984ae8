// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Base64 (RFC 4648, section 4), as files of a load are sent.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace workbench {

// `what` names the text in messages.
Result<std::string> FromBase64(std::string_view text, const std::string& what);

}  // namespace workbench
