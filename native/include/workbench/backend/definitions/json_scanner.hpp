// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// JsonScanner: steps over the values of a text, checking it by RFC 8259. For the definitions of Json.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "workbench/backend/error.hpp"

namespace workbench::detail {

class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  // The next value, whole, as it is written.
  std::string_view TakeValue() {
    SkipSpace();
    const size_t start = at_;
    SkipValue(0);
    return text_.substr(start, at_ - start);
  }
  // The name of a member, without its quotes, and the colon behind it.
  std::string_view TakeKey(bool* has_escapes) {
    SkipSpace();
    const size_t start = at_ + 1;
    *has_escapes = SkipString();
    const std::string_view key = text_.substr(start, at_ - 1 - start);
    Expect(':');
    return key;
  }
  void TakeBracket() {
    SkipSpace();
    ++at_;
  }
  bool AtClosing() {
    SkipSpace();
    return Peek() == ']' || Peek() == '}';
  }
  bool TakeComma() {
    SkipSpace();
    return Take(',');
  }
  void ExpectEnd() {
    SkipSpace();
    if (at_ != text_.size()) Fail("something follows the end of the document");
  }

 private:
  static constexpr int kMaxDepth = 200;  // a hostile document must not exhaust the stack

  void SkipValue(int depth) {
    if (depth > kMaxDepth) Fail("too deeply nested");
    switch (Peek()) {
      case '{':
        return SkipMembers(depth);
      case '[':
        return SkipElements(depth);
      case '"':
        SkipString();
        return;
      case 't':
        return SkipWord("true");
      case 'f':
        return SkipWord("false");
      case 'n':
        return SkipWord("null");
      default:
        return SkipNumber();
    }
  }

  void SkipMembers(int depth) {
    ++at_;
    if (TakeClosing('}')) return;
    do {
      bool has_escapes;
      TakeKey(&has_escapes);
      SkipSpace();
      SkipValue(depth + 1);
    } while (TakeComma());
    Expect('}');
  }

  void SkipElements(int depth) {
    ++at_;
    if (TakeClosing(']')) return;
    do {
      SkipSpace();
      SkipValue(depth + 1);
    } while (TakeComma());
    Expect(']');
  }

  // Whether it holds escapes.
  bool SkipString() {
    bool has_escapes = false;
    Expect('"');
    while (!Take('"')) {
      const char c = Peek();
      if (at_ >= text_.size()) Fail("a string without end");
      if (static_cast<unsigned char>(c) < 0x20) Fail("a control character inside a string");
      ++at_;
      if (c != '\\') continue;
      has_escapes = true;
      SkipEscape();
    }
    return has_escapes;
  }

  void SkipEscape() {
    if (Take('u')) {
      const uint32_t first = SkipHex();
      if (first >> 10 == 0x37) Fail("half of a surrogate pair");  // 0xDC00 to 0xDFFF
      if (first >> 10 != 0x36) return;
      if (!Take('\\') || !Take('u') || SkipHex() >> 10 != 0x37) Fail("half of a surrogate pair");
      return;
    }
    if (std::string_view("\"\\/bfnrt").find(Peek()) == std::string_view::npos || at_ >= text_.size()) {
      Fail("an unknown escape");
    }
    ++at_;
  }

  uint32_t SkipHex() {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = Peek();
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        value = value * 16 + static_cast<uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        value = value * 16 + static_cast<uint32_t>(lower - 'a' + 10);
      } else {
        Fail("four hexadecimal digits must follow \\u");
      }
    }
    return value;
  }

  void SkipWord(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) Fail("an unknown word");
    at_ += word.size();
  }

  void SkipNumber() {
    Take('-');
    if (!Take('0')) SkipDigits();
    if (Take('.')) SkipDigits();
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      SkipDigits();
    }
  }

  void SkipDigits() {
    if (Peek() < '0' || Peek() > '9') Fail("no value stands here");
    while (Peek() >= '0' && Peek() <= '9') ++at_;
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool TakeClosing(char c) {
    SkipSpace();
    return Take(c);
  }
  void Expect(char c) {
    SkipSpace();
    if (!Take(c)) Fail("another character was expected");
  }
  void SkipSpace() {
    while (Peek() == ' ' || Peek() == '\n' || Peek() == '\r' || Peek() == '\t') ++at_;
  }
  [[noreturn]] void Fail(const char* what) const {
    throw InvalidArgument(Join({"not JSON: ", what, " (offset ", Decimal(static_cast<int64_t>(at_)), ")"}));
  }

  std::string_view text_;
  size_t at_ = 0;
};

inline void AppendUtf8(uint32_t code, std::string* out) {
  const auto tail = [&](int shift) { *out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | (code >> 12));
    tail(6), tail(0);
  } else {
    *out += static_cast<char>(0xF0 | (code >> 18));
    tail(12), tail(6), tail(0);
  }
}

// The characters of a string that was checked, given without its quotes.
inline std::string DecodeJsonString(std::string_view text) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const auto hex = [&](size_t at) {
    return std::strtoul(std::string(text.substr(at, 4)).c_str(), nullptr, 16);
  };
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      out += text[at];
    } else if (text[++at] != 'u') {
      out += kMeanings[kNames.find(text[at])];
    } else {
      uint32_t code = static_cast<uint32_t>(hex(at + 1));
      at += 4;
      if (code >> 10 == 0x36) {  // the first half of a pair
        code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<uint32_t>(hex(at + 3)) - 0xDC00);
        at += 6;
      }
      AppendUtf8(code, &out);
    }
  }
  return out;
}

}  // namespace workbench::detail
