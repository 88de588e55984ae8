// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/): fields out of
// bytes, and bytes of fields. Pure; borrows what it reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace workbench {

enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kGroup = 3,
  kGroupEnd = 4,
  kFixed32 = 5
};

// Takes a variable-length number off the front. False where there is none.
bool TakeVarint(std::string_view* bytes, uint64_t* value);

// Goes over the fields of one message. What a reader does not ask for it skips.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}

  // On to the next field, of any type but a group, which are skipped. False at the end, and at bytes that are
  // no field.
  bool Next();
  // Whether what was read so far is well-formed.
  bool ok() const { return is_ok_; }

  uint32_t field() const { return field_; }
  WireType type() const { return type_; }
  bool Is(uint32_t field, WireType type) const { return field_ == field && type_ == type; }
  // Of a number; all bits of one that is fixed.
  uint64_t value() const { return value_; }
  // Of a text, bytes, a message, or packed numbers.
  std::string_view bytes() const { return bytes_; }

 private:
  bool TakeTag();
  bool TakeValue();
  bool TakeFixed(size_t byte_size);
  bool SkipGroup();

  std::string_view left_;
  bool is_ok_ = true;
  uint32_t field_ = 0;
  WireType type_ = WireType::kVarint;
  uint64_t value_ = 0;
  std::string_view bytes_;
};

void AppendVarint(uint64_t value, std::string* bytes);
size_t VarintSize(uint64_t value);
void AppendTag(uint32_t field, WireType type, std::string* bytes);
// Head of a field of bytes, which come after it.
void AppendLength(uint32_t field, uint64_t byte_size, std::string* bytes);
void AppendBytes(uint32_t field, std::string_view value, std::string* bytes);
void AppendNumber(uint32_t field, uint64_t value, std::string* bytes);
void AppendDouble(uint32_t field, double value, std::string* bytes);

// Texts of the format are UTF-8, without surrogates and overlong forms.
bool IsUtf8(std::string_view text);

}  // namespace workbench
