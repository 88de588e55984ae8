// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies in the forms gzip and deflate, by zlib.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace workbench {

enum class ContentCoding : uint8_t { kNone, kGzip, kDeflate };

// Of a Content-Encoding header. UNSUPPORTED for others.
Result<ContentCoding> CodingNamed(std::string_view name);
// The best of an Accept-Encoding header.
ContentCoding CodingAccepted(std::string_view header);
const char* NameOf(ContentCoding coding);

// INVALID_ARGUMENT where it is not of that form, is cut short, or has more than `limit` bytes, which
// is_too_large tells.
Result<std::string> Decompress(std::string_view bytes, ContentCoding coding, size_t limit,
                               bool* is_too_large = nullptr);
// level: 1, the fastest, to 9, the smallest, or zlib's own choice.
constexpr int kDefaultLevel = -1;
Result<std::string> Compress(std::string_view bytes, ContentCoding coding, int level = kDefaultLevel);

}  // namespace workbench
