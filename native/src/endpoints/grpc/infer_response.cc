// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/infer_response.h"

#include <deque>
#include <utility>

#include "endpoints/error.h"
#include "endpoints/grpc/wire.h"
#include "endpoints/output.h"
#include "endpoints/region_tensor.h"

namespace workbench {
namespace {

// Fields of ModelInferResponse.
constexpr uint32_t kModel = 1, kVersion = 2, kId = 3, kParameters = 4, kOutputs = 5, kRawOutputs = 6;
// Of its InferOutputTensor.
constexpr uint32_t kName = 1, kType = 2, kShape = 3, kOutputParameters = 4;
// Of InferParameter.
constexpr uint32_t kBool = 1, kInt64 = 2, kString = 3, kDouble = 4;

constexpr char kFinalParameter[] = "triton_final_response";

// An entry of a map of parameters; value: an InferParameter.
void AppendParameter(uint32_t field, std::string_view name, std::string_view value, std::string* message) {
  const size_t size = 2 + VarintSize(name.size()) + name.size() + VarintSize(value.size()) + value.size();
  AppendLength(field, size, message);
  AppendBytes(1, name, message);
  AppendBytes(2, value, message);
}

std::string NumberValue(uint32_t kind, uint64_t number) {
  std::string value;
  AppendNumber(kind, number, &value);
  return value;
}

std::string TextValue(std::string_view text) {
  std::string value;
  AppendBytes(kString, text, &value);
  return value;
}

std::string ValueOf(TRITONSERVER_ParameterType type, const void* value) {
  switch (type) {
    case TRITONSERVER_PARAMETER_STRING:
      return TextValue(static_cast<const char*>(value));
    case TRITONSERVER_PARAMETER_INT:
      return NumberValue(kInt64, static_cast<uint64_t>(*static_cast<const int64_t*>(value)));
    case TRITONSERVER_PARAMETER_BOOL:
      return NumberValue(kBool, *static_cast<const bool*>(value) ? 1 : 0);
    case TRITONSERVER_PARAMETER_DOUBLE: {
      std::string number;
      AppendDouble(kDouble, *static_cast<const double*>(value), &number);
      return number;
    }
    default:
      return {};
  }
}

// Writes one response into one message.
class ResponseWriter {
 public:
  ResponseWriter(TRITONSERVER_InferenceResponse* response, const InferPlan& plan, bool is_batched,
                 OutgoingMessage* message)
      : response_(response),
        plan_(plan),
        is_batched_(is_batched),
        message_(*message),
        text_(*message->text()) {}

  Status Write(std::optional<bool> is_final);

 private:
  struct Raw {
    std::string_view bytes;
    bool stays;  // as long as the response
  };

  Status WriteModel();
  Status WriteParameters();
  Status WriteOutput(uint32_t index);
  void WriteHead(const Output& output, const OutputWish* wish);

  TRITONSERVER_InferenceResponse* const response_;
  const InferPlan& plan_;
  const bool is_batched_;
  OutgoingMessage& message_;
  std::string& text_;
  std::vector<Raw> raw_;
  std::deque<std::string> converted_;
};

Status ResponseWriter::Write(std::optional<bool> is_final) {
  uint32_t count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseOutputCount(response_, &count)));
  RETURN_IF_ERROR(WriteModel());
  RETURN_IF_ERROR(WriteParameters());
  if (is_final) AppendParameter(kParameters, kFinalParameter, NumberValue(kBool, *is_final ? 1 : 0), &text_);
  for (uint32_t i = 0; i < count; ++i) RETURN_IF_ERROR(WriteOutput(i));
  for (const Raw& raw : raw_) {
    AppendLength(kRawOutputs, raw.bytes.size(), &text_);
    raw.stays ? message_.Append(raw.bytes) : void(text_.append(raw.bytes));
  }
  return OkStatus();
}

Status ResponseWriter::WriteModel() {
  const char *id = nullptr, *model = nullptr;
  int64_t version = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseId(response_, &id)));
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseModel(response_, &model, &version)));
  AppendBytes(kModel, model, &text_);
  AppendBytes(kVersion, std::to_string(version), &text_);
  if (id != nullptr && id[0] != '\0') AppendBytes(kId, id, &text_);
  return OkStatus();
}

Status ResponseWriter::WriteParameters() {
  uint32_t count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseParameterCount(response_, &count)));
  for (uint32_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    TRITONSERVER_ParameterType type;
    const void* value = nullptr;
    RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseParameter(response_, i, &name, &type, &value)));
    AppendParameter(kParameters, name, ValueOf(type, value), &text_);
  }
  return OkStatus();
}

// An output in shared memory has an empty entry of its own, so that entries and outputs keep in step.
Status ResponseWriter::WriteOutput(uint32_t index) {
  ASSIGN_OR_RETURN(const Output output, OutputAsWished(response_, index, plan_, is_batched_, &converted_));
  const OutputWish* const wish = plan_.Find(output.name);
  WriteHead(output, wish);
  const bool is_elsewhere = wish != nullptr && !wish->region.empty();
  const std::string_view bytes(static_cast<const char*>(output.base), is_elsewhere ? 0 : output.byte_size);
  raw_.push_back({bytes, wish == nullptr || wish->class_count == 0});
  return OkStatus();
}

void ResponseWriter::WriteHead(const Output& output, const OutputWish* wish) {
  std::string head, dims;
  AppendBytes(kName, output.name, &head);
  AppendBytes(kType, TRITONSERVER_DataTypeString(output.type), &head);
  for (const int64_t dim : output.shape) AppendVarint(static_cast<uint64_t>(dim), &dims);
  if (!dims.empty()) AppendBytes(kShape, dims, &head);
  if (wish != nullptr && !wish->region.empty()) {
    AppendParameter(kOutputParameters, "shared_memory_region", TextValue(wish->region), &head);
    AppendParameter(kOutputParameters, "shared_memory_byte_size", NumberValue(kInt64, output.byte_size),
                    &head);
  }
  AppendBytes(kOutputs, head, &text_);
}

}  // namespace

Result<OutgoingRef> InferResponseOf(ResponsePtr response, const InferPlan& plan, bool is_batched,
                                    std::optional<bool> is_final) {
  RETURN_IF_ERROR(StatusOf(response.get()));
  RETURN_IF_ERROR(BringOutputs(response.get(), plan));
  auto message = std::make_shared<OutgoingMessage>();
  RETURN_IF_ERROR(ResponseWriter(response.get(), plan, is_batched, message.get()).Write(is_final));
  if (message->has_borrowed()) message->Keep(std::move(response));
  return message;
}

OutgoingRef EmptyFinalResponse(std::string_view model, std::string_view version, std::string_view id) {
  auto message = std::make_shared<OutgoingMessage>();
  AppendBytes(kModel, model, message->text());
  AppendBytes(kVersion, version, message->text());
  if (!id.empty()) AppendBytes(kId, id, message->text());
  AppendParameter(kParameters, kFinalParameter, NumberValue(kBool, 1), message->text());
  return message;
}

void WrapForStream(OutgoingMessage* message) { message->Wrap(2); }

OutgoingRef StreamError(const std::string& reason, std::string_view id) {
  auto message = std::make_shared<OutgoingMessage>();
  std::string answer;
  if (!id.empty()) AppendBytes(kId, id, &answer);
  AppendBytes(1, reason, message->text());
  AppendBytes(2, answer, message->text());
  return message;
}

}  // namespace workbench
