// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/wire.h"

#include <array>
#include <cstring>

namespace workbench {
namespace {

constexpr int kDepthLimit = 100;  // of groups, as other implementations have it
constexpr uint32_t kFieldLimit = uint32_t{1} << 29;

}  // namespace

bool TakeVarint(std::string_view* bytes, uint64_t* value) {
  uint64_t taken = 0;
  const size_t limit = bytes->size() < 10 ? bytes->size() : 10;
  for (size_t i = 0; i < limit; ++i) {
    const auto byte = static_cast<uint8_t>((*bytes)[i]);
    taken |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      *value = taken;
      bytes->remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

bool WireReader::Next() {
  while (is_ok_ && !left_.empty()) {
    is_ok_ = TakeTag() && TakeValue();
    if (is_ok_ && type_ != WireType::kGroup) return true;
  }
  return false;
}

bool WireReader::TakeTag() {
  uint64_t tag = 0;
  if (!TakeVarint(&left_, &tag) || (tag >> 3) == 0 || (tag >> 3) >= kFieldLimit) return false;
  field_ = static_cast<uint32_t>(tag >> 3);
  type_ = static_cast<WireType>(tag & 7);
  return true;
}

bool WireReader::TakeValue() {
  switch (type_) {
    case WireType::kVarint:
      return TakeVarint(&left_, &value_);
    case WireType::kFixed64:
      return TakeFixed(8);
    case WireType::kFixed32:
      return TakeFixed(4);
    case WireType::kBytes: {
      uint64_t byte_size = 0;
      if (!TakeVarint(&left_, &byte_size) || byte_size > left_.size()) return false;
      bytes_ = left_.substr(0, byte_size);
      left_.remove_prefix(byte_size);
      return true;
    }
    case WireType::kGroup:
      return SkipGroup();
    default:
      return false;
  }
}

bool WireReader::TakeFixed(size_t byte_size) {
  if (left_.size() < byte_size) return false;
  value_ = 0;
  std::memcpy(&value_, left_.data(), byte_size);
  left_.remove_prefix(byte_size);
  return true;
}

// Without recursion: how deep a message nests is the sender's choice.
bool WireReader::SkipGroup() {
  std::array<uint32_t, kDepthLimit> open{field_};
  size_t depth = 1;
  while (depth > 0) {
    if (left_.empty() || !TakeTag()) return false;
    if (type_ == WireType::kGroup) {
      if (depth == open.size()) return false;
      open[depth++] = field_;
    } else if (type_ == WireType::kGroupEnd) {
      if (field_ != open[--depth]) return false;
    } else if (!TakeValue()) {
      return false;
    }
  }
  type_ = WireType::kGroup;
  return true;
}

void AppendVarint(uint64_t value, std::string* bytes) {
  for (; value >= 0x80; value >>= 7) bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

size_t VarintSize(uint64_t value) {
  size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

void AppendTag(uint32_t field, WireType type, std::string* bytes) {
  AppendVarint((uint64_t{field} << 3) | static_cast<uint64_t>(type), bytes);
}

void AppendLength(uint32_t field, uint64_t byte_size, std::string* bytes) {
  AppendTag(field, WireType::kBytes, bytes);
  AppendVarint(byte_size, bytes);
}

void AppendBytes(uint32_t field, std::string_view value, std::string* bytes) {
  AppendLength(field, value.size(), bytes);
  bytes->append(value);
}

void AppendNumber(uint32_t field, uint64_t value, std::string* bytes) {
  AppendTag(field, WireType::kVarint, bytes);
  AppendVarint(value, bytes);
}

void AppendDouble(uint32_t field, double value, std::string* bytes) {
  AppendTag(field, WireType::kFixed64, bytes);
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

bool IsUtf8(std::string_view text) {
  const auto* at = reinterpret_cast<const uint8_t*>(text.data());
  const uint8_t* const end = at + text.size();
  while (at < end) {
    const uint8_t lead = *at++;
    if (lead < 0x80) continue;
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || end - at < more) return false;
    const bool is_overlong = (lead == 0xe0 && *at < 0xa0) || (lead == 0xf0 && *at < 0x90);
    const bool is_no_character = (lead == 0xed && *at > 0x9f) || (lead == 0xf4 && *at > 0x8f);
    if (is_overlong || is_no_character) return false;
    for (int i = 0; i < more; ++i) {
      if ((*at++ & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

}  // namespace workbench
