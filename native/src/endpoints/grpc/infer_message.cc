// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/infer_message.h"

#include <cstring>

#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

Status Malformed(const char* message) {
  return InternalError(std::string("the bytes that were received are no ") + message);
}

// The field's text; false where it is no UTF-8.
bool TakeText(const WireReader& reader, std::string_view* text) {
  *text = reader.bytes();
  return IsUtf8(*text);
}

bool TakeChoice(const WireReader& reader, MessageValue* value) {
  if (reader.Is(1, WireType::kVarint)) *value = reader.value() != 0;
  if (reader.Is(2, WireType::kVarint)) *value = static_cast<int64_t>(reader.value());
  if (reader.Is(5, WireType::kVarint)) *value = reader.value();
  if (reader.Is(4, WireType::kFixed64)) {
    const uint64_t bits = reader.value();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    *value = number;
  }
  if (!reader.Is(3, WireType::kBytes)) return true;
  *value = reader.bytes();
  return IsUtf8(reader.bytes());
}

bool ParseValue(std::string_view bytes, MessageValue* value) {
  WireReader reader(bytes);
  while (reader.Next()) {
    if (!TakeChoice(reader, value)) return false;
  }
  return reader.ok();
}

// An entry of a map: of two with one name the later one counts.
bool AddParameter(std::string_view bytes, std::vector<MessageParameter>* parameters) {
  MessageParameter parsed;
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.Is(1, WireType::kBytes) && !TakeText(reader, &parsed.name)) return false;
    if (reader.Is(2, WireType::kBytes) && !ParseValue(reader.bytes(), &parsed.value)) return false;
  }
  if (!reader.ok()) return false;
  for (MessageParameter& known : *parameters) {
    if (known.name != parsed.name) continue;
    known = parsed;
    return true;
  }
  parameters->push_back(parsed);
  return true;
}

bool AddDims(const WireReader& reader, std::vector<int64_t>* shape) {
  if (reader.type() == WireType::kVarint) {
    shape->push_back(static_cast<int64_t>(reader.value()));
    return true;
  }
  std::string_view packed = reader.bytes();
  for (uint64_t dim = 0; !packed.empty();) {
    if (!TakeVarint(&packed, &dim)) return false;
    shape->push_back(static_cast<int64_t>(dim));
  }
  return true;
}

bool TakeInputField(const WireReader& reader, InputMessage* input) {
  const bool is_shape = reader.field() == 3;
  if (is_shape && (reader.type() == WireType::kVarint || reader.type() == WireType::kBytes)) {
    return AddDims(reader, &input->shape);
  }
  if (reader.type() != WireType::kBytes) return true;
  switch (reader.field()) {
    case 1:
      return TakeText(reader, &input->name);
    case 2:
      return TakeText(reader, &input->type);
    case 4:
      return AddParameter(reader.bytes(), &input->parameters);
    case 5:
      input->contents.push_back(reader.bytes());
      return true;
    default:
      return true;
  }
}

bool ParseInput(std::string_view bytes, InputMessage* input) {
  WireReader reader(bytes);
  while (reader.Next()) {
    if (!TakeInputField(reader, input)) return false;
  }
  return reader.ok();
}

bool ParseOutput(std::string_view bytes, OutputMessage* output) {
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.Is(1, WireType::kBytes) && !TakeText(reader, &output->name)) return false;
    if (reader.Is(2, WireType::kBytes) && !AddParameter(reader.bytes(), &output->parameters)) return false;
  }
  return reader.ok();
}

bool TakeRequestField(const WireReader& reader, InferRequestMessage* request) {
  if (reader.type() != WireType::kBytes) return true;
  switch (reader.field()) {
    case 1:
      return TakeText(reader, &request->model);
    case 2:
      return TakeText(reader, &request->version);
    case 3:
      return TakeText(reader, &request->id);
    case 4:
      return AddParameter(reader.bytes(), &request->parameters);
    case 5:
      return ParseInput(reader.bytes(), &request->inputs.emplace_back());
    case 6:
      return ParseOutput(reader.bytes(), &request->outputs.emplace_back());
    case 7:
      request->raw_inputs.push_back(reader.bytes());
      return true;
    default:
      return true;
  }
}

}  // namespace

Result<InferRequestMessage> ParseInferRequest(std::string_view bytes) {
  InferRequestMessage request;
  WireReader reader(bytes);
  while (reader.Next()) {
    if (!TakeRequestField(reader, &request)) return Malformed("ModelInferRequest");
  }
  if (!reader.ok()) return Malformed("ModelInferRequest");
  return request;
}

Result<ModelReadyMessage> ParseModelReady(std::string_view bytes) {
  ModelReadyMessage request;
  WireReader reader(bytes);
  bool is_ok = true;
  while (is_ok && reader.Next()) {
    if (reader.Is(1, WireType::kBytes)) is_ok = TakeText(reader, &request.name);
    if (reader.Is(2, WireType::kBytes)) is_ok = is_ok && TakeText(reader, &request.version);
  }
  if (!is_ok || !reader.ok()) return Malformed("ModelReadyRequest");
  return request;
}

Status CheckMessage(std::string_view bytes, const char* name) {
  WireReader reader(bytes);
  while (reader.Next()) {
  }
  return reader.ok() ? OkStatus() : Malformed(name);
}

}  // namespace workbench
