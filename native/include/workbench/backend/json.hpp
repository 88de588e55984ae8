// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Json: a value inside a text that somebody else keeps, such as a model's configuration. Nothing is built
// from the text: it is checked once, and a lookup reads it again, which keeps the code that every backend
// compiles small.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/backend/json_scanner.hpp"

namespace workbench {

class Json {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  struct Member;

  // Null.
  Json() = default;
  // The document in text, which must outlive it. Throws INVALID_ARG with the offset of what is wrong.
  static Json Parse(std::string_view text) {
    detail::JsonScanner scanner(text);
    const std::string_view value = scanner.TakeValue();
    scanner.ExpectEnd();
    return Json(value);
  }

  Kind kind() const {
    switch (text_.empty() ? 'n' : text_.front()) {
      case 'n':
        return Kind::kNull;
      case 't':
      case 'f':
        return Kind::kBool;
      case '"':
        return Kind::kString;
      case '[':
        return Kind::kArray;
      case '{':
        return Kind::kObject;
      default:
        return Kind::kNumber;
    }
  }
  bool is_null() const { return kind() == Kind::kNull; }
  // Of an array or an object.
  size_t size() const {
    size_t count = 0;
    for (Cursor at(*this); at.Next();) ++count;
    return count;
  }

  // A member of an object, an element of an array; null where there is none, so that lookups can be chained.
  Json operator[](std::string_view key) const {
    if (kind() != Kind::kObject) return Json();
    for (Cursor at(*this); at.Next();) {
      if (at.key == key || (at.has_escapes && detail::DecodeJsonString(at.key) == key)) return Json(at.value);
    }
    return Json();
  }
  Json operator[](size_t index) const {
    if (kind() != Kind::kArray) return Json();
    for (Cursor at(*this); at.Next();) {
      if (index-- == 0) return Json(at.value);
    }
    return Json();
  }
  std::vector<Json> elements() const {
    std::vector<Json> values;
    for (Cursor at(*this); kind() == Kind::kArray && at.Next();) values.push_back(Json(at.value));
    return values;
  }
  std::vector<Member> members() const;

  // The value, or the fallback where this is of another kind. A number written as a string counts as one:
  // 64-bit integers are often written so.
  std::string string(std::string_view fallback = "") const {
    return kind() == Kind::kString ? detail::DecodeJsonString(Inner()) : std::string(fallback);
  }
  bool boolean(bool fallback = false) const {
    return kind() == Kind::kBool ? text_.front() == 't' : fallback;
  }
  double number(double fallback = 0) const {
    const std::string digits = Digits();
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    return digits.empty() || *end != '\0' ? fallback : value;
  }
  int64_t integer(int64_t fallback = 0) const {
    const std::string digits = Digits();
    char* end = nullptr;
    errno = 0;
    const int64_t value = std::strtoll(digits.c_str(), &end, 10);
    return digits.empty() || *end != '\0' || errno == ERANGE ? fallback : value;
  }

 private:
  explicit Json(std::string_view text) : text_(text) {}

  // Steps through the values of an array or an object that was checked.
  struct Cursor {
    explicit Cursor(const Json& value) : scanner(value.text_), is_object(value.kind() == Kind::kObject) {
      is_over = !is_object && value.kind() != Kind::kArray;
      if (!is_over) scanner.TakeBracket();
    }
    bool Next() {
      if (is_over || scanner.AtClosing()) return false;
      if (is_object) key = scanner.TakeKey(&has_escapes);
      value = scanner.TakeValue();
      scanner.TakeComma();
      return true;
    }
    detail::JsonScanner scanner;
    bool is_object;
    bool is_over;
    bool has_escapes = false;
    std::string_view key, value;
  };

  std::string_view Inner() const { return text_.substr(1, text_.size() - 2); }
  std::string Digits() const {
    if (kind() == Kind::kNumber) return std::string(text_);
    return kind() == Kind::kString ? std::string(Inner()) : std::string();
  }

  std::string_view text_;
};

struct Json::Member {
  std::string key;
  Json value;
};

inline std::vector<Json::Member> Json::members() const {
  std::vector<Member> found;
  for (Cursor at(*this); kind() == Kind::kObject && at.Next();) {
    found.push_back({detail::DecodeJsonString(at.key), Json(at.value)});
  }
  return found;
}

}  // namespace workbench
