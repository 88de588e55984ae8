// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Outputs of backends, which may hold anything: five bytes (type, form, number of dims, rows, classes), then
// the bytes of the output. What is said to be JSON must be.
#include "endpoints/http/infer_reply.h"

#include <rapidjson/document.h>

#include <cstdlib>
#include <memory>

#include "endpoints/http/generate.h"
#include "fuzz/interface.h"

namespace {

enum Form { kJson, kBinary, kClasses, kGenerate, kFormCount };

void RequireJson(const std::string& text) {
  constexpr unsigned kFlags = rapidjson::kParseNanAndInfFlag | rapidjson::kParseIterativeFlag;
  rapidjson::Document document;
  document.Parse<kFlags>(text.data(), text.size());
  if (document.HasParseError()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5) return 0;
  const Form form = static_cast<Form>(data[1] % kFormCount);
  workbench::ResponsePtr response = workbench::ResponseOf(data, size);
  if (form == kGenerate) {
    const auto json = workbench::GenerateJson(response.get());
    if (json.ok()) RequireJson(json.value());
    return 0;
  }
  workbench::InferPlan plan;
  plan.is_binary = form == kBinary;
  if (form == kClasses) plan.outputs.push_back({"OUTPUT0", data[0] % 2 == 0, data[4], "", {}});
  const auto reply = workbench::InferReply(std::move(response), plan, data[3] % 2 == 0);
  if (!reply.ok()) return 0;
  RequireJson(reply.value().body);
  for (const auto& part : reply.value().tail) (void)workbench::ReadAll(part.data(), part.size());
  return 0;
}
