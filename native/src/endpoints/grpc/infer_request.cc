// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/infer_request.h"

#include <algorithm>
#include <charconv>

#include "endpoints/error.h"
#include "endpoints/region_tensor.h"

namespace workbench {
namespace {

const MessageValue* Find(const std::vector<MessageParameter>& parameters, std::string_view name) {
  for (const MessageParameter& parameter : parameters) {
    if (parameter.name == name) return &parameter.value;
  }
  return nullptr;
}

// A parameter of a tensor that counts something; 0 where there is none.
Result<uint64_t> CountOf(const std::vector<MessageParameter>& parameters, std::string_view name,
                         const std::string& tensor) {
  const MessageValue* const value = Find(parameters, name);
  if (value == nullptr) return uint64_t{0};
  if (const auto* const count = std::get_if<int64_t>(value)) {
    if (*count >= 0) return static_cast<uint64_t>(*count);
  }
  return InvalidArgumentError("'" + std::string(name) + "' of tensor '" + tensor +
                              "' must be an int64_param that is not negative");
}

// Reads one message into one request.
class Filler {
 public:
  Filler(const InferRequestMessage& message, const SharedMemory& memory,
         TRITONSERVER_InferenceRequest* request, InferPlan* plan)
      : message_(message), memory_(memory), request_(request), plan_(*plan) {}

  Status Fill(bool* wants_final);

 private:
  Status FillInput(const InputMessage& input);
  Status GiveData(const InputMessage& input, const std::string& name, TRITONSERVER_DataType type);
  Status GiveRaw(const InputMessage& input, const std::string& name);
  Status GiveElements(const InputMessage& input, const std::string& name, TRITONSERVER_DataType type);
  Status Append(const std::string& name, std::string_view bytes);
  Status FillOutput(const OutputMessage& output);
  Result<SharedMemoryRegion::Part> PartOf(const std::vector<MessageParameter>& parameters,
                                          const std::string& tensor);

  const InferRequestMessage& message_;
  const SharedMemory& memory_;
  TRITONSERVER_InferenceRequest* const request_;
  InferPlan& plan_;
  size_t next_raw_ = 0;
};

Status Filler::Fill(bool* wants_final) {
  if (!message_.id.empty()) {
    const std::string id(message_.id);
    RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestSetId(request_, id.c_str())));
  }
  RETURN_IF_ERROR(SetParameters(message_.parameters, request_, wants_final));
  for (const InputMessage& input : message_.inputs) RETURN_IF_ERROR(FillInput(input));
  const size_t left = message_.raw_inputs.size() - next_raw_;
  if (left > 0) {
    return InvalidArgumentError("raw_input_contents has " + std::to_string(left) +
                                " entries more than there are inputs outside of shared memory");
  }
  for (const OutputMessage& output : message_.outputs) RETURN_IF_ERROR(FillOutput(output));
  return OkStatus();
}

Status Filler::FillInput(const InputMessage& input) {
  const std::string name(input.name);
  const TRITONSERVER_DataType type = TRITONSERVER_StringToDataType(std::string(input.type).c_str());
  if (type == TRITONSERVER_TYPE_INVALID) {
    return InvalidArgumentError("'datatype' of input '" + name + "' is '" + std::string(input.type) +
                                "', which is no data type");
  }
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestAddInput(request_, name.c_str(), type,
                                                                   input.shape.data(), input.shape.size())));
  return GiveData(input, name, type);
}

Status Filler::GiveData(const InputMessage& input, const std::string& name, TRITONSERVER_DataType type) {
  if (Find(input.parameters, "shared_memory_region") != nullptr) {
    if (!input.contents.empty()) {
      return InvalidArgumentError("input '" + name + "' has contents, though it lies in shared memory");
    }
    ASSIGN_OR_RETURN(const SharedMemoryRegion::Part part, PartOf(input.parameters, name));
    return AppendPart(name, part, request_, &plan_);
  }
  return message_.raw_inputs.empty() ? GiveElements(input, name, type) : GiveRaw(input, name);
}

Status Filler::GiveRaw(const InputMessage& input, const std::string& name) {
  if (!input.contents.empty()) {
    return InvalidArgumentError(
        "input '" + name + "' has contents, though the request has raw_input_contents; one or the other");
  }
  if (next_raw_ == message_.raw_inputs.size()) {
    return InvalidArgumentError("raw_input_contents has no entry for input '" + name + "'");
  }
  return Append(name, message_.raw_inputs[next_raw_++]);
}

Status Filler::GiveElements(const InputMessage& input, const std::string& name, TRITONSERVER_DataType type) {
  ASSIGN_OR_RETURN(std::string bytes, ElementsOf(input, type));
  plan_.converted.push_back(std::move(bytes));
  return Append(name, plan_.converted.back());
}

Status Filler::Append(const std::string& name, std::string_view bytes) {
  return TakeStatus(TRITONSERVER_InferenceRequestAppendInputData(request_, name.c_str(), bytes.data(),
                                                                 bytes.size(), TRITONSERVER_MEMORY_CPU, 0));
}

Status Filler::FillOutput(const OutputMessage& output) {
  OutputWish wish;
  wish.name = output.name;
  wish.is_binary = true;
  if (Find(output.parameters, "classification") != nullptr) {
    ASSIGN_OR_RETURN(const uint64_t count, CountOf(output.parameters, "classification", wish.name));
    if (count == 0)
      return InvalidArgumentError("'classification' of output '" + wish.name + "' must be 1 or more");
    wish.class_count = static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX));
  }
  if (Find(output.parameters, "shared_memory_region") != nullptr) {
    if (wish.class_count != 0) {
      return InvalidArgumentError("output '" + wish.name + "' can not be classified into shared memory");
    }
    ASSIGN_OR_RETURN(wish.place, PartOf(output.parameters, wish.name));
    wish.region = plan_.regions.back()->name();
  }
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceRequestAddRequestedOutput(request_, wish.name.c_str())));
  plan_.outputs.push_back(std::move(wish));
  return OkStatus();
}

Result<SharedMemoryRegion::Part> Filler::PartOf(const std::vector<MessageParameter>& parameters,
                                                const std::string& tensor) {
  const auto* const region = std::get_if<std::string_view>(Find(parameters, "shared_memory_region"));
  if (region == nullptr) {
    return InvalidArgumentError("'shared_memory_region' of tensor '" + tensor + "' must be a string_param");
  }
  if (Find(parameters, "shared_memory_byte_size") == nullptr) {
    return InvalidArgumentError("tensor '" + tensor +
                                "' lies in shared memory and needs shared_memory_byte_size");
  }
  ASSIGN_OR_RETURN(const uint64_t byte_size, CountOf(parameters, "shared_memory_byte_size", tensor));
  ASSIGN_OR_RETURN(const uint64_t offset, CountOf(parameters, "shared_memory_offset", tensor));
  return plan_.Use(memory_, std::string(*region), offset, byte_size);
}

}  // namespace

Result<int64_t> VersionOf(std::string_view version, std::string_view model) {
  if (version.empty()) return int64_t{-1};
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(version.data(), version.data() + version.size(), number);
  if (error == std::errc() && stop == version.data() + version.size() && number >= 0) return number;
  return InvalidArgumentError("the version of model '" + std::string(model) + "' must be a number, not '" +
                              std::string(version) + "'");
}

Status FillRequest(const InferRequestMessage& message, const SharedMemory& memory,
                   TRITONSERVER_InferenceRequest* request, InferPlan* plan, bool* wants_final) {
  plan->is_binary = true;
  return Filler(message, memory, request, plan).Fill(wants_final);
}

}  // namespace workbench
