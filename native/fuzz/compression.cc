// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Packed bodies: a byte for the form, then the body. What was unpacked comes back when it is packed.
#include "endpoints/compression.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  constexpr size_t kLimit = size_t{1} << 20;
  const auto coding = data[0] % 2 == 0 ? workbench::ContentCoding::kGzip : workbench::ContentCoding::kDeflate;
  const std::string_view packed(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto text = workbench::Decompress(packed, coding, kLimit);
  if (text.ok() && text.value().size() > kLimit) std::abort();
  const std::string_view whole = text.ok() ? std::string_view(text.value()) : packed;
  const auto again = workbench::Compress(whole, coding);
  if (!again.ok()) std::abort();
  const auto back = workbench::Decompress(again.value(), coding, kLimit);
  if (whole.size() <= kLimit && (!back.ok() || back.value() != whole)) std::abort();
  return 0;
}
