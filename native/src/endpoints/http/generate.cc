// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/generate.h"

#include <algorithm>
#include <cstring>

#include "endpoints/error.h"
#include "endpoints/http/infer_reply.h"
#include "endpoints/http/json.h"
#include "endpoints/http/request_parameters.h"
#include "endpoints/http/tensor_json.h"
#include "endpoints/output.h"

namespace workbench {
namespace {

const TensorSpec* FindInput(const ModelSignature& signature, std::string_view name) {
  const auto is_named = [name](const TensorSpec& input) { return input.name == name; };
  const auto found = std::find_if(signature.inputs.begin(), signature.inputs.end(), is_named);
  return found == signature.inputs.end() ? nullptr : &*found;
}

size_t LeavesOf(const rapidjson::Value& value) {
  if (!value.IsArray()) return 1;
  size_t count = 0;
  for (const rapidjson::Value& element : value.GetArray()) count += LeavesOf(element);
  return count;
}

// As declared; so many elements settle one dimension: a variable one, or else the batch's.
std::vector<int64_t> ShapeOf(const TensorSpec& spec, bool is_batched, size_t count) {
  std::vector<int64_t> shape = spec.dims;
  if (is_batched) shape.insert(shape.begin(), 1);
  int64_t known = 1;
  for (const int64_t dim : spec.dims) known *= std::max<int64_t>(dim, 1);
  auto settled = std::find(shape.begin(), shape.end(), -1);
  if (settled == shape.end() && is_batched) settled = shape.begin();
  std::replace(shape.begin(), shape.end(), int64_t{-1}, int64_t{1});
  if (settled != shape.end()) *settled = static_cast<int64_t>(count) / known;
  return shape;
}

// A value alone is an array of one.
Status GiveInput(const rapidjson::Value& value, const TensorSpec& spec, bool is_batched,
                 TRITONSERVER_InferenceRequest* request, InferPlan* plan) {
  rapidjson::Document array(rapidjson::kArrayType);
  if (!value.IsArray()) array.PushBack(rapidjson::Value(value, array.GetAllocator()), array.GetAllocator());
  const rapidjson::Value& data = value.IsArray() ? value : array;
  const size_t count = LeavesOf(data);
  const auto type = static_cast<TRITONSERVER_DataType>(spec.type);
  ASSIGN_OR_RETURN(std::string bytes, ReadTensor(data, type, count, spec.name));
  const std::vector<int64_t> shape = ShapeOf(spec, is_batched, count);
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_InferenceRequestAddInput(request, spec.name.c_str(), type, shape.data(), shape.size())));
  plan->converted.push_back(std::move(bytes));
  return TakeStatus(TRITONSERVER_InferenceRequestAppendInputData(
      request, spec.name.c_str(), plan->converted.back().data(), plan->converted.back().size(),
      TRITONSERVER_MEMORY_CPU, 0));
}

Status GiveMember(const std::string& name, const rapidjson::Value& value, const ModelSignature& signature,
                  TRITONSERVER_InferenceRequest* request, InferPlan* plan) {
  if (const TensorSpec* const input = FindInput(signature, name)) {
    return GiveInput(value, *input, signature.is_batched(), request, plan);
  }
  if (name == "id") {
    ASSIGN_OR_RETURN(const std::string id, TextOf(value, name));
    return TakeStatus(TRITONSERVER_InferenceRequestSetId(request, id.c_str()));
  }
  if (name == "parameters" && value.IsObject()) {
    bool is_binary = false;
    return SetParameters(value, request, &is_binary);
  }
  return SetParameter(name.c_str(), value, request);
}

// By its shape, and by its bytes: backends may give others than the shape's.
bool HasOneElement(const Output& output) {
  const auto is_one = [](int64_t dim) { return dim == 1; };
  if (!std::all_of(output.shape.begin(), output.shape.end(), is_one)) return false;
  if (const uint32_t size = TRITONSERVER_DataTypeByteSize(output.type)) return output.byte_size == size;
  uint32_t length = 0;
  if (output.byte_size < sizeof length) return false;
  std::memcpy(&length, output.base, sizeof length);
  return output.byte_size == sizeof length + length;
}

Status WriteOutput(const Output& output, JsonWriter* writer) {
  writer->Key(output.name.c_str());
  if (!HasOneElement(output)) {
    return WriteTensor(output.base, output.byte_size, output.type, output.name, writer);
  }
  JsonBuffer text;
  JsonWriter array(text);
  RETURN_IF_ERROR(WriteTensor(output.base, output.byte_size, output.type, output.name, &array));
  writer->RawValue(text.GetString() + 1, text.GetSize() - 2,
                   rapidjson::kNullType);  // what is in the brackets
  return OkStatus();
}

}  // namespace

Status ReadGenerateBody(std::string_view body, const ModelSignature& signature,
                        TRITONSERVER_InferenceRequest* request, InferPlan* plan) {
  ASSIGN_OR_RETURN(const rapidjson::Document document, ParseJson(body));
  if (!document.IsObject()) return InternalError("the body must be a JSON object");
  for (const auto& [key, value] : document.GetObject()) {
    const std::string name(key.GetString(), key.GetStringLength());
    RETURN_IF_ERROR(GiveMember(name, value, signature, request, plan));
  }
  return OkStatus();
}

Result<std::string> GenerateJson(TRITONSERVER_InferenceResponse* response) {
  RETURN_IF_ERROR(StatusOf(response));
  JsonBuffer text;
  JsonWriter writer(text);
  const char *id = nullptr, *model = nullptr;
  int64_t version = 0;
  uint32_t count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseId(response, &id)));
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseModel(response, &model, &version)));
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseOutputCount(response, &count)));
  writer.StartObject();
  if (id != nullptr && id[0] != '\0') {
    writer.Key("id");
    writer.String(id);
  }
  writer.Key("model_name");
  writer.String(model);
  writer.Key("model_version");
  writer.String(std::to_string(version).c_str());
  RETURN_IF_ERROR(WriteParameters(response, &writer));
  for (uint32_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const Output output, OutputOf(response, i));
    RETURN_IF_ERROR(WriteOutput(output, &writer));
  }
  writer.EndObject();
  return std::string(text.GetString(), text.GetSize());
}

}  // namespace workbench
