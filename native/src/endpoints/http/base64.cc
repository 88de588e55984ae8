// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/base64.h"

#include <cstdint>

namespace workbench {
namespace {

int ValueOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

Result<std::string> FromBase64(std::string_view text, const std::string& what) {
  std::string bytes;
  uint32_t group = 0;
  size_t read = 0;
  for (; read < text.size() && ValueOf(text[read]) >= 0; ++read) {
    group = group << 6 | static_cast<uint32_t>(ValueOf(text[read]));
    if (read % 4 != 0) bytes += static_cast<char>(group >> (6 - 2 * (read % 4)));
  }
  const std::string_view rest = text.substr(read);
  const bool is_padding = rest.empty() || rest == "=" || rest == "==";
  if (is_padding && text.size() % 4 == 0 && read % 4 != 1) return bytes;
  return InvalidArgumentError("'" + what + "' is no Base64 text; look at its byte " + std::to_string(read));
}

}  // namespace workbench
