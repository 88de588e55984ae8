// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <cstring>

namespace workbench::python_backend {
namespace {

constexpr size_t kAlignment = 8;
size_t Padded(size_t byte_size) { return (byte_size + kAlignment - 1) / kAlignment * kAlignment; }

class Writer {
 public:
  explicit Writer(SharedMemory* memory) : memory_(memory) {}
  size_t at() const { return at_; }
  char* Take(size_t byte_size) {
    memory_->Require(at_ + Padded(byte_size), true);
    char* const place = memory_->data() + at_;
    at_ += Padded(byte_size);
    return place;
  }
  void Number(uint64_t number) { std::memcpy(Take(sizeof(number)), &number, sizeof(number)); }
  void NumberAt(size_t at, uint64_t number) { std::memcpy(memory_->data() + at, &number, sizeof(number)); }
  void Text(std::string_view text) {
    const auto length = static_cast<uint32_t>(text.size());
    char* const place = Take(sizeof(length) + text.size());
    std::memcpy(place, &length, sizeof(length));
    if (!text.empty()) std::memcpy(place + sizeof(length), text.data(), text.size());
  }

 private:
  SharedMemory* memory_;
  size_t at_ = 0;
};

// What a child writes is not trusted to be whole: it may have been broken off anywhere.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  const char* Take(uint64_t byte_size) {
    const size_t padded = Padded(byte_size);
    if (byte_size > bytes_.size() || at_ + padded > Padded(bytes_.size())) {
      throw Internal("the answer of the model's process is broken off");
    }
    const char* const place = bytes_.data() + at_;
    at_ += padded;
    return place;
  }
  uint64_t Number() {
    uint64_t number = 0;
    std::memcpy(&number, Take(sizeof(number)), sizeof(number));
    return number;
  }
  std::string Text() {
    uint32_t length = 0;
    const size_t start = at_;
    std::memcpy(&length, Take(sizeof(length)), sizeof(length));
    at_ = start;
    return {Take(sizeof(length) + length) + sizeof(length), length};
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

void WriteCorrelation(const Request& request, Writer* writer, std::string* text) {
  uint64_t number = 0;
  TRITONSERVER_Error* const is_text = TRITONBACKEND_RequestCorrelationId(request.handle(), &number);
  if (is_text != nullptr) {
    TRITONSERVER_ErrorDelete(is_text);
    *text = request.correlation_text();
  }
  writer->Number(number);
}

void WriteParameter(TRITONSERVER_ParameterType type, const void* value, Writer* writer) {
  writer->Number(type);
  uint64_t number = 0;
  if (type == TRITONSERVER_PARAMETER_STRING) return writer->Text(static_cast<const char*>(value));
  if (type == TRITONSERVER_PARAMETER_BOOL) {
    number = *static_cast<const bool*>(value) ? 1 : 0;
  } else {
    std::memcpy(&number, value, sizeof(number));
  }
  writer->Number(number);
}

void WriteFacts(const Request& request, Writer* writer) {
  TRITONBACKEND_Request* const handle = request.handle();
  uint64_t priority = 0, timeout = 0;
  const char* id = nullptr;
  std::string correlation_text;
  Check(TRITONSERVER_InferenceRequestPriorityUInt64(reinterpret_cast<TRITONSERVER_InferenceRequest*>(handle),
                                                    &priority));
  Check(TRITONBACKEND_InferenceRequestTimeoutMicroseconds(handle, &timeout));
  Check(TRITONBACKEND_RequestId(handle, &id));
  writer->Number(request.flags());
  writer->Number(priority);
  writer->Number(timeout);
  WriteCorrelation(request, writer, &correlation_text);
  writer->Text(id == nullptr ? "" : id);
  writer->Text(correlation_text);
  uint32_t count = 0;
  Check(TRITONBACKEND_RequestOutputCount(handle, &count));
  writer->Number(count);
  for (uint32_t index = 0; index < count; ++index) {
    const char* name = nullptr;
    Check(TRITONBACKEND_RequestOutputName(handle, index, &name));
    writer->Text(name);
  }
  Check(TRITONBACKEND_RequestParameterCount(handle, &count));
  writer->Number(count);
  for (uint32_t index = 0; index < count; ++index) {
    const char* name = nullptr;
    TRITONSERVER_ParameterType type = TRITONSERVER_PARAMETER_STRING;
    const void* value = nullptr;
    Check(TRITONBACKEND_RequestParameter(handle, index, &name, &type, &value));
    writer->Text(name);
    WriteParameter(type, value, writer);
  }
}

void WriteInput(const Input& input, DeviceReader* reader, Writer* writer) {
  writer->Number(input.data_type());
  writer->Number(input.shape().size());
  writer->Number(input.byte_size());
  for (const int64_t dim : input.shape()) writer->Number(static_cast<uint64_t>(dim));
  writer->Text(input.name());
  reader->Copy(input, writer->Take(input.byte_size()));
}

void WriteRequest(const Request& request, DeviceReader* reader, Writer* writer) {
  writer->Number(reinterpret_cast<uintptr_t>(request.handle()));
  const size_t size_at = writer->at();
  writer->Number(0);
  const uint32_t inputs = request.input_count();
  writer->Number(inputs);
  const size_t facts_at = writer->at();
  WriteFacts(request, writer);
  writer->NumberAt(size_at, writer->at() - facts_at);
  for (uint32_t index = 0; index < inputs; ++index) WriteInput(request.input(index), reader, writer);
}

Error ReadError(Reader* reader, const std::string& stage) {
  const uint64_t code = reader->Number();
  const std::string text = reader->Text();
  return Error(static_cast<TRITONSERVER_Error_Code>(code), stage.empty() ? text : stage + ": " + text);
}

void SetParameters(Request* request, const std::string& json) {
  if (json.empty()) return;
  for (const Json::Member& member : Json::Parse(json).members()) {
    const char* const name = member.key.c_str();
    switch (member.value.kind()) {
      case Json::Kind::kBool:
        request->SetParameter(name, member.value.boolean());
        break;
      case Json::Kind::kNumber:
        if (member.value.text().find_first_of(".eE") == std::string_view::npos) {
          request->SetParameter(name, member.value.integer());
        } else {
          request->SetParameter(name, member.value.number());
        }
        break;
      default:
        request->SetParameter(name, member.value.string());
    }
  }
}

// What is read is skipped even where it is refused, so that the next answers are found.
void ReadOutputs(Request* request, Reader* reader, const DeclaredOutputs& declared,
                 const std::string& stage) {
  request->AnswerEmpty();
  const uint64_t count = reader->Number();
  std::string unknown;
  for (uint64_t index = 0; index < count; ++index) {
    const auto type = static_cast<TRITONSERVER_DataType>(reader->Number());
    const uint64_t dim_count = reader->Number();
    const uint64_t byte_size = reader->Number();
    const auto* const dims = reinterpret_cast<const int64_t*>(reader->Take(dim_count * sizeof(int64_t)));
    const std::string name = reader->Text();
    const char* const data = reader->Take(byte_size);
    try {
      if (!declared.Check(name.c_str(), type)) {
        unknown = name;
        continue;
      }
      void* const place = request->output(name.c_str()).Allocate(type, Shape(dims, dim_count), byte_size);
      if (byte_size > 0) std::memcpy(place, data, byte_size);
    } catch (const Error& error) {
      request->Fail(Error(error.code(), stage + ": " + error.what()));
    }
  }
  SetParameters(request, reader->Text());
  if (unknown.empty() || count > declared.size()) return;
  request->Fail(InvalidArgument(stage + ": no output '" + unknown + "' is in the configuration; it has " +
                                declared.names()));
}

void ReadAnswer(Request* request, Reader* reader, const DeclaredOutputs& declared, const std::string& stage) {
  switch (reader->Number()) {
    case 0:
      return ReadOutputs(request, reader, declared, stage);
    case 1:
      return request->Fail(ReadError(reader, ""));
    case 2:
      return request->AnswerLater();
    default:
      return request->Reschedule();
  }
}

}  // namespace

size_t WriteBatch(Batch& batch, SharedMemory* memory, DeviceReader* reader) {
  Writer writer(memory);
  writer.Number(batch.size());
  for (const Request& request : batch) WriteRequest(request, reader, &writer);
  return writer.at();
}

uint64_t InputByteSize(Batch& batch) {
  uint64_t byte_size = 0;
  for (const Request& request : batch) {
    for (uint32_t index = 0; index < request.input_count(); ++index)
      byte_size += request.input(index).byte_size();
  }
  return byte_size;
}

bool ReadAnswers(Batch& batch, std::string_view answers, const DeclaredOutputs& declared,
                 const std::string& stage) {
  Reader reader(answers);
  const bool is_error = reader.Number() != 0;
  const bool keeps_inputs = reader.Number() != 0;
  if (is_error) {
    const Error error = ReadError(&reader, "");
    for (Request& request : batch) {
      if (reader.Number() != 0) request.AnswerLater();  // its sender told the error
      request.Fail(error);
    }
    return keeps_inputs;
  }
  for (Request& request : batch) ReadAnswer(&request, &reader, declared, stage);
  return keeps_inputs;
}

}  // namespace workbench::python_backend
