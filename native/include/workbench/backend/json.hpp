// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Json: a value inside a text that somebody else keeps, such as a model's configuration. Nothing is built
// from the text: it is checked once, and a lookup reads it again, which keeps the code that every backend
// compiles small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/backend/error.hpp"

namespace workbench {

class Json {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  struct Member;

  // Null.
  Json() = default;
  // The document in text, which must outlive it. Throws INVALID_ARG with the offset of what is wrong.
  static Json Parse(std::string_view text);

  Kind kind() const;
  bool is_null() const { return kind() == Kind::kNull; }
  // Of an array or an object.
  size_t size() const;
  // As it is written; empty for null where there is none.
  std::string_view text() const { return text_; }

  // A member of an object, an element of an array; null where there is none, so that lookups can be chained.
  Json operator[](std::string_view key) const;
  Json operator[](size_t index) const;
  std::vector<Json> elements() const;
  std::vector<Member> members() const;

  // The value, or the fallback where this is of another kind. A number written as a string counts as one:
  // 64-bit integers are often written so.
  std::string string(std::string_view fallback = "") const;
  bool boolean(bool fallback = false) const;
  double number(double fallback = 0) const;
  int64_t integer(int64_t fallback = 0) const;

 private:
  explicit Json(std::string_view text) : text_(text) {}

  struct Cursor;  // steps through the values of an array or an object

  std::string_view Inner() const { return text_.substr(1, text_.size() - 2); }
  std::string Digits() const;

  std::string_view text_;
};

struct Json::Member {
  std::string key;
  Json value;
};

}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/json.hpp"
#endif
