// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// clang-format off: before what includes the parser
#include "endpoints/http/exact_numbers.h"
// clang-format on
#include <rapidjson/error/en.h>

#include "endpoints/http/json.h"

namespace workbench {
namespace {

// Iterative: a text of a million brackets must not take a million frames.
constexpr unsigned kFlags =
    rapidjson::kParseFullPrecisionFlag | rapidjson::kParseNanAndInfFlag | rapidjson::kParseIterativeFlag;

}  // namespace

Result<rapidjson::Document> ParseJson(std::string_view text) {
  rapidjson::Document document;
  document.Parse<kFlags>(text.data(), text.size());
  if (!document.HasParseError()) return document;
  return InternalError("the body is no JSON: byte " + std::to_string(document.GetErrorOffset()) + ": " +
                       rapidjson::GetParseError_En(document.GetParseError()));
}

const rapidjson::Value* Member(const rapidjson::Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

Result<std::string> TextOf(const rapidjson::Value& value, const std::string& what) {
  if (!value.IsString()) return InternalError("'" + what + "' must be a text");
  return std::string(value.GetString(), value.GetStringLength());
}

Result<uint64_t> CountOf(const rapidjson::Value& value, const std::string& what) {
  if (!value.IsUint64()) return InternalError("'" + what + "' must be a whole number that is not negative");
  return value.GetUint64();
}

Result<bool> TruthOf(const rapidjson::Value& value, const std::string& what) {
  if (!value.IsBool()) return InternalError("'" + what + "' must be true or false");
  return value.GetBool();
}

Result<std::string> TextMember(const rapidjson::Value& object, const char* name, const std::string& owner) {
  const rapidjson::Value* const value = Member(object, name);
  if (value == nullptr) return InternalError(owner + " lacks '" + name + "'");
  return TextOf(*value, std::string(name) + " of " + owner);
}

Result<const rapidjson::Value*> ArrayOf(const rapidjson::Value& object, const char* name) {
  const rapidjson::Value* const value = Member(object, name);
  if (value == nullptr) return InternalError(std::string("the body lacks '") + name + "'");
  if (!value->IsArray()) return InternalError(std::string("'") + name + "' must be an array");
  return value;
}

Result<std::vector<int64_t>> ShapeOf(const rapidjson::Value& tensor, const std::string& name) {
  const rapidjson::Value* const value = Member(tensor, "shape");
  if (value == nullptr) return InternalError("input '" + name + "' lacks 'shape'");
  if (!value->IsArray()) return InternalError("'shape' of input '" + name + "' must be an array");
  std::vector<int64_t> shape;
  for (const rapidjson::Value& dim : value->GetArray()) {
    if (!dim.IsInt64()) return InternalError("'shape' of input '" + name + "' must have whole numbers");
    shape.push_back(dim.GetInt64());
  }
  return shape;
}

}  // namespace workbench
