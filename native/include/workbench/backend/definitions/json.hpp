// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What json.hpp declares.
#pragma once

#include <cerrno>
#include <cstdlib>

#include "workbench/backend/definitions/json_scanner.hpp"
#include "workbench/backend/json.hpp"

namespace workbench {

// Steps through the values of an array or an object that was checked.
struct Json::Cursor {
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

WB_INLINE Json Json::Parse(std::string_view text) {
  detail::JsonScanner scanner(text);
  const std::string_view value = scanner.TakeValue();
  scanner.ExpectEnd();
  return Json(value);
}

WB_INLINE Json::Kind Json::kind() const {
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

WB_INLINE size_t Json::size() const {
  size_t count = 0;
  for (Cursor at(*this); at.Next();) ++count;
  return count;
}

WB_INLINE Json Json::operator[](std::string_view key) const {
  if (kind() != Kind::kObject) return Json();
  for (Cursor at(*this); at.Next();) {
    if (at.key == key || (at.has_escapes && detail::DecodeJsonString(at.key) == key)) return Json(at.value);
  }
  return Json();
}

WB_INLINE Json Json::operator[](size_t index) const {
  if (kind() != Kind::kArray) return Json();
  for (Cursor at(*this); at.Next();) {
    if (index-- == 0) return Json(at.value);
  }
  return Json();
}

WB_INLINE std::vector<Json> Json::elements() const {
  std::vector<Json> values;
  for (Cursor at(*this); kind() == Kind::kArray && at.Next();) values.push_back(Json(at.value));
  return values;
}

WB_INLINE std::string Json::string(std::string_view fallback) const {
  return kind() == Kind::kString ? detail::DecodeJsonString(Inner()) : std::string(fallback);
}

WB_INLINE bool Json::boolean(bool fallback) const {
  return kind() == Kind::kBool ? text_.front() == 't' : fallback;
}

WB_INLINE double Json::number(double fallback) const {
  const std::string digits = Digits();
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  return digits.empty() || *end != '\0' ? fallback : value;
}

WB_INLINE int64_t Json::integer(int64_t fallback) const {
  const std::string digits = Digits();
  char* end = nullptr;
  errno = 0;
  const int64_t value = std::strtoll(digits.c_str(), &end, 10);
  return digits.empty() || *end != '\0' || errno == ERANGE ? fallback : value;
}

WB_INLINE std::string Json::Digits() const {
  if (kind() == Kind::kNumber) return std::string(text_);
  return kind() == Kind::kString ? std::string(Inner()) : std::string();
}

WB_INLINE std::vector<Json::Member> Json::members() const {
  std::vector<Member> found;
  for (Cursor at(*this); kind() == Kind::kObject && at.Next();) {
    found.push_back({detail::DecodeJsonString(at.key), Json(at.value)});
  }
  return found;
}

}  // namespace workbench
