// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/packed_response.h"

#include <cstring>
#include <string>

namespace workbench {
namespace {

constexpr uint64_t kMark = 0x31657361'63626b77ull;  // leads every packed response

class Writer {
 public:
  void Number(uint64_t value) { Bytes(&value, sizeof value); }
  void Text(const std::string& text) {
    Number(text.size());
    Bytes(text.data(), text.size());
  }
  void Bytes(const void* data, size_t byte_size) {
    const char* const start = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), start, start + byte_size);
  }
  std::vector<char> Take() { return std::move(bytes_); }

 private:
  std::vector<char> bytes_;
};

// Once something is missing, everything after it reads as nothing.
class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : bytes_(bytes) {}

  uint64_t Number() {
    uint64_t value = 0;
    if (const char* const start = Take(sizeof value)) std::memcpy(&value, start, sizeof value);
    return value;
  }
  std::string Text() {
    const std::vector<char> text = Bytes();
    return {text.begin(), text.end()};
  }
  std::vector<char> Bytes() {
    const uint64_t byte_size = Number();
    const char* const start = Take(byte_size);
    return start == nullptr ? std::vector<char>() : std::vector<char>(start, start + byte_size);
  }
  bool is_whole() const { return is_whole_ && at_ == bytes_.size(); }
  bool is_broken() const { return !is_whole_; }

 private:
  const char* Take(uint64_t byte_size) {
    is_whole_ = is_whole_ && byte_size <= bytes_.size() - at_;
    if (!is_whole_) return nullptr;
    at_ += byte_size;
    return bytes_.data() + at_ - byte_size;
  }

  const std::vector<char>& bytes_;
  size_t at_ = 0;
  bool is_whole_ = true;
};

void WriteParameter(const Parameter& parameter, Writer* writer) {
  writer->Text(parameter.name);
  writer->Number(static_cast<uint64_t>(parameter.type));
  writer->Text(parameter.text);
  writer->Number(static_cast<uint64_t>(parameter.integer));
  writer->Bytes(&parameter.real, sizeof parameter.real);
  writer->Number(parameter.is_true ? 1 : 0);
}

Parameter ReadParameter(Reader* reader) {
  Parameter parameter;
  parameter.name = reader->Text();
  parameter.type = static_cast<ParameterType>(reader->Number());
  parameter.text = reader->Text();
  parameter.integer = static_cast<int64_t>(reader->Number());
  const uint64_t real = reader->Number();
  std::memcpy(&parameter.real, &real, sizeof real);
  parameter.is_true = reader->Number() != 0;
  return parameter;
}

CachedResponse::Output ReadOutput(Reader* reader) {
  CachedResponse::Output output;
  output.name = reader->Text();
  output.type = static_cast<DataType>(reader->Number());
  const uint64_t rank = reader->Number();
  for (uint64_t i = 0; i < rank && !reader->is_broken(); ++i) {
    output.shape.push_back(static_cast<int64_t>(reader->Number()));
  }
  output.bytes = reader->Bytes();
  return output;
}

}  // namespace

std::vector<char> Pack(const CachedResponse& response) {
  Writer writer;
  writer.Number(kMark);
  writer.Number(response.outputs.size());
  for (const CachedResponse::Output& output : response.outputs) {
    writer.Text(output.name);
    writer.Number(static_cast<uint64_t>(output.type));
    writer.Number(output.shape.size());
    for (const int64_t dim : output.shape) writer.Number(static_cast<uint64_t>(dim));
    writer.Number(output.bytes.size());
    writer.Bytes(output.bytes.data(), output.bytes.size());
  }
  writer.Number(response.parameters.size());
  for (const Parameter& parameter : response.parameters) WriteParameter(parameter, &writer);
  return writer.Take();
}

Result<CachedResponse> Unpack(const std::vector<char>& bytes) {
  Reader reader(bytes);
  CachedResponse response;
  if (reader.Number() != kMark) return InternalError("what the cache holds is no response of this server");
  const uint64_t outputs = reader.Number();
  for (uint64_t i = 0; i < outputs && !reader.is_broken(); ++i)
    response.outputs.push_back(ReadOutput(&reader));
  const uint64_t parameters = reader.Number();
  for (uint64_t i = 0; i < parameters && !reader.is_broken(); ++i) {
    response.parameters.push_back(ReadParameter(&reader));
  }
  if (!reader.is_whole()) return InternalError("what the cache holds is a part of a response");
  return response;
}

}  // namespace workbench
