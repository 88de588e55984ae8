// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading JSON documents: a value, or an error that names the field and says what it should be.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace workbench {

// INTERNAL for a text that is no JSON, as the original answers.
Result<rapidjson::Document> ParseJson(std::string_view text);

// Null where there is none, or where `object` is no object.
const rapidjson::Value* Member(const rapidjson::Value& object, const char* name);
inline const rapidjson::Value* Member(const rapidjson::Value* object, const char* name) {
  return object == nullptr ? nullptr : Member(*object, name);
}

// `what` names the value in messages.
Result<std::string> TextOf(const rapidjson::Value& value, const std::string& what);
Result<uint64_t> CountOf(const rapidjson::Value& value, const std::string& what);
Result<bool> TruthOf(const rapidjson::Value& value, const std::string& what);

// Of members that must be there; `owner` names the object in messages.
Result<std::string> TextMember(const rapidjson::Value& object, const char* name, const std::string& owner);
Result<const rapidjson::Value*> ArrayOf(const rapidjson::Value& object, const char* name);
Result<std::vector<int64_t>> ShapeOf(const rapidjson::Value& tensor, const std::string& name);

}  // namespace workbench
