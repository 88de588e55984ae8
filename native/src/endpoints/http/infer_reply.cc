// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/http/infer_reply.h"

#include "endpoints/error.h"
#include "endpoints/output.h"
#include "endpoints/region_tensor.h"

namespace workbench {
namespace {

void WriteText(const std::string& text, JsonWriter* writer) {
  writer->String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void WriteHead(const Output& output, JsonWriter* writer) {
  writer->Key("name");
  WriteText(output.name, writer);
  writer->Key("datatype");
  writer->String(TRITONSERVER_DataTypeString(output.type));
  writer->Key("shape");
  writer->StartArray();
  for (const int64_t dim : output.shape) writer->Int64(dim);
  writer->EndArray();
}

// Writes one response into one reply.
class ReplyWriter {
 public:
  ReplyWriter(TRITONSERVER_InferenceResponse* response, const InferPlan& plan, bool is_batched)
      : response_(response), plan_(plan), is_batched_(is_batched), writer_(text_) {}

  Result<HttpReply> Write();

 private:
  Status WriteModel();
  Status WriteOutputs();
  Status WriteOutput(uint32_t index);
  void WriteBinary(const Output& output);

  TRITONSERVER_InferenceResponse* const response_;
  const InferPlan& plan_;
  const bool is_batched_;
  JsonBuffer text_;
  JsonWriter writer_;
  HttpReply reply_;
};

Result<HttpReply> ReplyWriter::Write() {
  writer_.StartObject();
  RETURN_IF_ERROR(WriteModel());
  RETURN_IF_ERROR(WriteOutputs());
  writer_.EndObject();
  reply_.body.assign(text_.GetString(), text_.GetSize());
  if (reply_.tail.empty()) return std::move(reply_);
  reply_.json_size = reply_.body.size();
  reply_.content_type = "application/octet-stream";
  return std::move(reply_);
}

Status ReplyWriter::WriteModel() {
  const char *id = nullptr, *model = nullptr;
  int64_t version = 0;
  uint32_t parameter_count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseId(response_, &id)));
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseModel(response_, &model, &version)));
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseParameterCount(response_, &parameter_count)));
  if (id != nullptr && id[0] != '\0') {
    writer_.Key("id");
    writer_.String(id);
  }
  writer_.Key("model_name");
  writer_.String(model);
  writer_.Key("model_version");
  WriteText(std::to_string(version), &writer_);
  if (parameter_count == 0) return OkStatus();
  writer_.Key("parameters");
  writer_.StartObject();
  RETURN_IF_ERROR(WriteParameters(response_, &writer_));
  writer_.EndObject();
  return OkStatus();
}

Status ReplyWriter::WriteOutputs() {
  uint32_t count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseOutputCount(response_, &count)));
  writer_.Key("outputs");
  writer_.StartArray();
  for (uint32_t i = 0; i < count; ++i) RETURN_IF_ERROR(WriteOutput(i));
  writer_.EndArray();
  return OkStatus();
}

Status ReplyWriter::WriteOutput(uint32_t index) {
  ASSIGN_OR_RETURN(const Output output,
                   OutputAsWished(response_, index, plan_, is_batched_, &reply_.converted));
  const OutputWish* const wish = plan_.Find(output.name);
  writer_.StartObject();
  WriteHead(output, &writer_);
  Status status;
  // Of an output in shared memory nothing more is told: clients take what they find for a size of bytes.
  const bool is_elsewhere = wish != nullptr && !wish->region.empty();
  if (!is_elsewhere && (wish != nullptr ? wish->is_binary : plan_.is_binary)) {
    WriteBinary(output);
  } else if (!is_elsewhere) {
    writer_.Key("data");
    status = WriteTensor(output.base, output.byte_size, output.type, output.name, &writer_);
  }
  writer_.EndObject();
  return status;
}

void ReplyWriter::WriteBinary(const Output& output) {
  writer_.Key("parameters");
  writer_.StartObject();
  writer_.Key("binary_data_size");
  writer_.Uint64(output.byte_size);
  writer_.EndObject();
  reply_.tail.emplace_back(output.base, output.byte_size);
}

}  // namespace

Status WriteParameters(TRITONSERVER_InferenceResponse* response, JsonWriter* writer) {
  uint32_t count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseParameterCount(response, &count)));
  for (uint32_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    TRITONSERVER_ParameterType type;
    const void* value = nullptr;
    RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseParameter(response, i, &name, &type, &value)));
    writer->Key(name);
    switch (type) {
      case TRITONSERVER_PARAMETER_STRING:
        writer->String(static_cast<const char*>(value));
        break;
      case TRITONSERVER_PARAMETER_INT:
        writer->Int64(*static_cast<const int64_t*>(value));
        break;
      case TRITONSERVER_PARAMETER_BOOL:
        writer->Bool(*static_cast<const bool*>(value));
        break;
      case TRITONSERVER_PARAMETER_DOUBLE:
        writer->Double(*static_cast<const double*>(value));
        break;
      default:
        writer->Null();
    }
  }
  return OkStatus();
}

Result<HttpReply> InferReply(ResponsePtr response, const InferPlan& plan, bool is_batched) {
  RETURN_IF_ERROR(StatusOf(response.get()));
  RETURN_IF_ERROR(BringOutputs(response.get(), plan));
  ASSIGN_OR_RETURN(HttpReply reply, ReplyWriter(response.get(), plan, is_batched).Write());
  reply.owned.push_back(std::move(response));
  return reply;
}

}  // namespace workbench
