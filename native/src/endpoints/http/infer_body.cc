// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/infer_body.h"

#include "endpoints/error.h"
#include "endpoints/http/json.h"
#include "endpoints/http/request_parameters.h"
#include "endpoints/http/tensor_json.h"
#include "endpoints/region_tensor.h"

namespace workbench {
namespace {

// Reads one body into one request.
class BodyReader {
 public:
  BodyReader(std::string_view binary, const SharedMemory& memory, TRITONSERVER_InferenceRequest* request,
             InferPlan* plan)
      : binary_(binary), memory_(memory), request_(request), plan_(*plan) {}

  Status Read(const rapidjson::Value& root);

 private:
  Status ReadInputs(const rapidjson::Value& root);
  Status ReadInput(const rapidjson::Value& input);
  static Status CheckSource(const rapidjson::Value& input);
  Status GiveInput(const rapidjson::Value& input, const std::string& name, TRITONSERVER_DataType type,
                   size_t element_count);
  Status GiveBinary(uint64_t byte_size, const std::string& name);
  Status Append(const std::string& name, std::string_view bytes);
  Status ReadOutputs(const rapidjson::Value& root);
  Status ReadOutput(const rapidjson::Value& output);
  Result<SharedMemoryRegion::Part> PartOf(const rapidjson::Value& parameters, const std::string& tensor);

  std::string_view binary_;  // what no input took yet
  const SharedMemory& memory_;
  TRITONSERVER_InferenceRequest* const request_;
  InferPlan& plan_;
};

Status BodyReader::Read(const rapidjson::Value& root) {
  if (!root.IsObject()) return InternalError("the body must be a JSON object");
  if (const rapidjson::Value* const id = Member(root, "id")) {
    ASSIGN_OR_RETURN(const std::string text, TextOf(*id, "id"));
    RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestSetId(request_, text.c_str())));
  }
  if (const rapidjson::Value* const parameters = Member(root, "parameters")) {
    RETURN_IF_ERROR(SetParameters(*parameters, request_, &plan_.is_binary));
  }
  RETURN_IF_ERROR(ReadInputs(root));
  return ReadOutputs(root);
}

Status BodyReader::ReadInputs(const rapidjson::Value& root) {
  ASSIGN_OR_RETURN(const rapidjson::Value* const inputs, ArrayOf(root, "inputs"));
  for (const rapidjson::Value& input : inputs->GetArray()) RETURN_IF_ERROR(ReadInput(input));
  if (binary_.empty()) return OkStatus();
  return InvalidArgumentError("the body has " + std::to_string(binary_.size()) +
                              " bytes more than the inputs' binary_data_size tells of");
}

Status BodyReader::ReadInput(const rapidjson::Value& input) {
  RETURN_IF_ERROR(CheckSource(input));
  ASSIGN_OR_RETURN(const std::string name, TextMember(input, "name", "an input"));
  ASSIGN_OR_RETURN(const std::string type_name, TextMember(input, "datatype", "input '" + name + "'"));
  const TRITONSERVER_DataType type = TRITONSERVER_StringToDataType(type_name.c_str());
  if (type == TRITONSERVER_TYPE_INVALID) {
    return InvalidArgumentError("'datatype' of input '" + name + "' is '" + type_name +
                                "', which is no data type");
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> shape, ShapeOf(input, name));
  ASSIGN_OR_RETURN(const size_t element_count, ElementCountOf(shape, name));
  RETURN_IF_ERROR(TakeStatus(
      TRITONSERVER_InferenceRequestAddInput(request_, name.c_str(), type, shape.data(), shape.size())));
  return GiveInput(input, name, type, element_count);
}

Status BodyReader::CheckSource(const rapidjson::Value& input) {
  const rapidjson::Value* const parameters = Member(input, "parameters");
  const bool has[] = {Member(input, "data") != nullptr, Member(parameters, "binary_data_size") != nullptr,
                      Member(parameters, "shared_memory_region") != nullptr};
  if (has[0] + has[1] + has[2] == 1) return OkStatus();
  const rapidjson::Value* const name = Member(input, "name");
  const std::string told =
      name != nullptr && name->IsString() ? " '" + std::string(name->GetString()) + "'" : "";
  return InvalidArgumentError("input" + told +
                              " needs exactly one of 'data', 'binary_data_size' and 'shared_memory_region'");
}

Status BodyReader::GiveInput(const rapidjson::Value& input, const std::string& name,
                             TRITONSERVER_DataType type, size_t element_count) {
  const rapidjson::Value* const data = Member(input, "data");
  const rapidjson::Value* const parameters = Member(input, "parameters");
  const rapidjson::Value* const binary_size = Member(parameters, "binary_data_size");
  const rapidjson::Value* const region = Member(parameters, "shared_memory_region");
  if (binary_size != nullptr) {
    ASSIGN_OR_RETURN(const uint64_t byte_size,
                     CountOf(*binary_size, "binary_data_size of input '" + name + "'"));
    return GiveBinary(byte_size, name);
  }
  if (region != nullptr) {
    ASSIGN_OR_RETURN(const SharedMemoryRegion::Part part, PartOf(*parameters, name));
    return AppendPart(name, part, request_, &plan_);
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadTensor(*data, type, element_count, name));
  plan_.converted.push_back(std::move(bytes));
  return Append(name, plan_.converted.back());
}

Status BodyReader::GiveBinary(uint64_t byte_size, const std::string& name) {
  if (byte_size > binary_.size()) {
    return InvalidArgumentError("input '" + name + "' has " + std::to_string(byte_size) +
                                " bytes of binary data, of which the body has " +
                                std::to_string(binary_.size()));
  }
  const std::string_view bytes = binary_.substr(0, byte_size);
  binary_.remove_prefix(byte_size);
  return Append(name, bytes);
}

Status BodyReader::Append(const std::string& name, std::string_view bytes) {
  return TakeStatus(TRITONSERVER_InferenceRequestAppendInputData(request_, name.c_str(), bytes.data(),
                                                                 bytes.size(), TRITONSERVER_MEMORY_CPU, 0));
}

Status BodyReader::ReadOutputs(const rapidjson::Value& root) {
  if (Member(root, "outputs") == nullptr) return OkStatus();
  ASSIGN_OR_RETURN(const rapidjson::Value* const outputs, ArrayOf(root, "outputs"));
  for (const rapidjson::Value& output : outputs->GetArray()) RETURN_IF_ERROR(ReadOutput(output));
  return OkStatus();
}

Status BodyReader::ReadOutput(const rapidjson::Value& output) {
  OutputWish wish;
  ASSIGN_OR_RETURN(wish.name, TextMember(output, "name", "an output"));
  wish.is_binary = plan_.is_binary;
  const rapidjson::Value* const parameters = Member(output, "parameters");
  if (const rapidjson::Value* const binary = Member(parameters, "binary_data")) {
    ASSIGN_OR_RETURN(wish.is_binary, TruthOf(*binary, "binary_data of output '" + wish.name + "'"));
  }
  if (const rapidjson::Value* const classes = Member(parameters, "classification")) {
    ASSIGN_OR_RETURN(const uint64_t count, CountOf(*classes, "classification of output '" + wish.name + "'"));
    wish.class_count = static_cast<uint32_t>(count);
  }
  if (Member(parameters, "shared_memory_region") != nullptr) {
    if (wish.class_count != 0) {
      return InvalidArgumentError("output '" + wish.name + "' can not be classified into shared memory");
    }
    if (wish.is_binary && Member(parameters, "binary_data") != nullptr) {
      return InvalidArgumentError("output '" + wish.name +
                                  "' goes into shared memory or behind the JSON ('binary_data'), not both");
    }
    ASSIGN_OR_RETURN(wish.place, PartOf(*parameters, wish.name));
    wish.region = plan_.regions.back()->name();
  }
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestAddRequestedOutput(request_, wish.name.c_str())));
  plan_.outputs.push_back(std::move(wish));
  return OkStatus();
}

Result<SharedMemoryRegion::Part> BodyReader::PartOf(const rapidjson::Value& parameters,
                                                    const std::string& tensor) {
  ASSIGN_OR_RETURN(const std::string name,
                   TextOf(*Member(parameters, "shared_memory_region"), "shared_memory_region"));
  RETURN_IF_ERROR(memory_.Find(name).status());  // as the original: what is not there is told first
  const rapidjson::Value* const size = Member(parameters, "shared_memory_byte_size");
  if (size == nullptr) return InvalidArgumentError("tensor '" + tensor + "' needs 'shared_memory_byte_size'");
  ASSIGN_OR_RETURN(const uint64_t byte_size,
                   CountOf(*size, "shared_memory_byte_size of tensor '" + tensor + "'"));
  uint64_t offset = 0;
  if (const rapidjson::Value* const from = Member(parameters, "shared_memory_offset")) {
    ASSIGN_OR_RETURN(offset, CountOf(*from, "shared_memory_offset of tensor '" + tensor + "'"));
  }
  return plan_.Use(memory_, name, offset, byte_size);
}

}  // namespace

Status ReadInferBody(std::string_view body, size_t json_size, const SharedMemory& memory,
                     TRITONSERVER_InferenceRequest* request, InferPlan* plan) {
  if (json_size > body.size()) {
    return InvalidArgumentError("Inference-Header-Content-Length is " + std::to_string(json_size) +
                                ", the whole body has " + std::to_string(body.size()) + " bytes");
  }
  ASSIGN_OR_RETURN(const rapidjson::Document document, ParseJson(body.substr(0, json_size)));
  return BodyReader(body.substr(json_size), memory, request, plan).Read(document);
}

Status ReadRawBody(std::string_view body, TRITONSERVER_InferenceRequest* request, InferPlan* plan) {
  constexpr char kName[] = "raw_input";  // the model's one input, whatever it is called
  plan->is_binary = true;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestAddRawInput(request, kName)));
  return TakeStatus(TRITONSERVER_InferenceRequestAppendInputData(request, kName, body.data(), body.size(),
                                                                 TRITONSERVER_MEMORY_CPU, 0));
}

}  // namespace workbench
