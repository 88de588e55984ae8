// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Json: a document that is read once and never changed, such as a model's configuration.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workbench/backend/error.hpp"

namespace workbench {

class Json {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  using Member = std::pair<std::string, Json>;

  // Throws INVALID_ARG with the offset of what is wrong.
  static Json Parse(std::string_view text);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  // Of an array or an object.
  size_t size() const { return kind_ == Kind::kObject ? members_.size() : elements_.size(); }

  // A member of an object; null where there is none, so that lookups can be chained.
  const Json& operator[](std::string_view key) const {
    for (const Member& member : members_) {
      if (member.first == key) return member.second;
    }
    return Null();
  }
  const Json& operator[](size_t index) const { return index < elements_.size() ? elements_[index] : Null(); }
  const std::vector<Json>& elements() const { return elements_; }
  const std::vector<Member>& members() const { return members_; }

  // The value, or the fallback where this is of another kind. Numbers written as strings count as numbers, since
  // 64-bit integers are often written so.
  const std::string& string(const std::string& fallback = Empty()) const {
    return kind_ == Kind::kString ? text_ : fallback;
  }
  bool boolean(bool fallback = false) const { return kind_ == Kind::kBool ? text_ == "true" : fallback; }
  double number(double fallback = 0) const {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str(), &end);
    return IsNumeric() && end == text_.c_str() + text_.size() ? value : fallback;
  }
  int64_t integer(int64_t fallback = 0) const {
    char* end = nullptr;
    errno = 0;
    const int64_t value = std::strtoll(text_.c_str(), &end, 10);
    if (!IsNumeric() || errno == ERANGE) return fallback;
    return end == text_.c_str() + text_.size() ? value : static_cast<int64_t>(number(double(fallback)));
  }

 private:
  friend class JsonReader;
  static const Json& Null() {
    static const Json null;
    return null;
  }
  static const std::string& Empty() {
    static const std::string empty;
    return empty;
  }
  bool IsNumeric() const { return (kind_ == Kind::kNumber || kind_ == Kind::kString) && !text_.empty(); }

  Kind kind_ = Kind::kNull;
  std::string text_;  // of a string its value, of a number or a boolean its spelling
  std::vector<Json> elements_;
  std::vector<Member> members_;
};

// A recursive-descent reader of RFC 8259, for Json::Parse.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Json ReadDocument() {
    Json value = ReadValue(0);
    SkipSpace();
    if (position_ != text_.size()) Fail("something follows the end of the document");
    return value;
  }

 private:
  static constexpr int kMaxDepth = 200;  // a hostile document must not exhaust the stack

  Json ReadValue(int depth) {
    if (depth > kMaxDepth) Fail("too deeply nested");
    SkipSpace();
    Json value;
    switch (Peek()) {
      case '{': ReadObject(depth, &value); break;
      case '[': ReadArray(depth, &value); break;
      case '"': value.kind_ = Json::Kind::kString, value.text_ = ReadString(); break;
      case 't': ReadWord("true", Json::Kind::kBool, &value); break;
      case 'f': ReadWord("false", Json::Kind::kBool, &value); break;
      case 'n': ReadWord("null", Json::Kind::kNull, &value); break;
      default: ReadNumber(&value);
    }
    return value;
  }

  void ReadObject(int depth, Json* value) {
    value->kind_ = Json::Kind::kObject;
    Expect('{');
    if (Skip('}')) return;
    do {
      SkipSpace();
      std::string key = ReadString();
      SkipSpace();
      Expect(':');
      value->members_.emplace_back(std::move(key), ReadValue(depth + 1));
    } while (Skip(','));
    Expect('}');
  }

  void ReadArray(int depth, Json* value) {
    value->kind_ = Json::Kind::kArray;
    Expect('[');
    if (Skip(']')) return;
    do {
      value->elements_.push_back(ReadValue(depth + 1));
    } while (Skip(','));
    Expect(']');
  }

  void ReadWord(std::string_view word, Json::Kind kind, Json* value) {
    if (text_.substr(position_, word.size()) != word) Fail("an unknown word");
    position_ += word.size();
    value->kind_ = kind;
    if (kind == Json::Kind::kBool) value->text_ = std::string(word);
  }

  void ReadNumber(Json* value) {
    const size_t start = position_;
    Take('-');
    if (!Take('0')) ReadDigits();
    if (Take('.')) ReadDigits();
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      ReadDigits();
    }
    value->kind_ = Json::Kind::kNumber;
    value->text_ = std::string(text_.substr(start, position_ - start));
  }

  void ReadDigits() {
    if (Peek() < '0' || Peek() > '9') Fail("no value stands here");
    while (Peek() >= '0' && Peek() <= '9') ++position_;
  }

  std::string ReadString() {
    Expect('"');
    std::string value;
    while (!Take('"')) {
      if (position_ >= text_.size()) Fail("a string without end");
      const char c = text_[position_++];
      if (static_cast<unsigned char>(c) < 0x20) Fail("a control character inside a string");
      if (c == '\\') {
        ReadEscape(&value);
      } else {
        value += c;
      }
    }
    return value;
  }

  void ReadEscape(std::string* value) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (Take('u')) return AppendUtf8(ReadCodePoint(), value);
    const size_t index = position_ < text_.size() ? kNames.find(text_[position_]) : kNames.npos;
    if (index == kNames.npos) Fail("an unknown escape");
    ++position_;
    *value += kMeanings[index];
  }

  uint32_t ReadCodePoint() {
    const uint32_t first = ReadHex();
    if (first >= 0xDC00 && first <= 0xDFFF) Fail("half of a surrogate pair");
    if (first < 0xD800 || first > 0xDBFF) return first;
    if (!Take('\\') || !Take('u')) Fail("half of a surrogate pair");
    const uint32_t second = ReadHex();
    if (second < 0xDC00 || second > 0xDFFF) Fail("half of a surrogate pair");
    return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
  }

  uint32_t ReadHex() {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = Peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) Fail("four hexadecimal digits must follow \\u");
      value = value * 16 + static_cast<uint32_t>(digit);
      ++position_;
    }
    return value;
  }

  static void AppendUtf8(uint32_t code, std::string* out) {
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

  char Peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool Take(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool Skip(char c) {
    SkipSpace();
    return Take(c);
  }
  void Expect(char c) {
    SkipSpace();
    if (!Take(c)) Fail(std::string("expected '") + c + "'");
  }
  void SkipSpace() {
    while (Peek() == ' ' || Peek() == '\n' || Peek() == '\r' || Peek() == '\t') ++position_;
  }
  [[noreturn]] void Fail(const std::string& what) const {
    throw InvalidArgument("not JSON: " + what + " (offset " + std::to_string(position_) + ")");
  }

  std::string_view text_;
  size_t position_ = 0;
};

inline Json Json::Parse(std::string_view text) { return JsonReader(text).ReadDocument(); }

}  // namespace workbench
