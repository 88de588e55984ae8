// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ModelInferRequest, and the few messages beside it that are served natively, as their senders meant them.
// Views into the bytes that were received: they must outlive what is parsed. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// None where the sender chose nothing.
using MessageValue = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string_view>;

struct MessageParameter {
  std::string_view name;
  MessageValue value;
};

struct InputMessage {
  std::string_view name;
  std::string_view type;
  std::vector<int64_t> shape;
  std::vector<MessageParameter> parameters;
  std::vector<std::string_view> contents;  // typed elements: occurrences of InferTensorContents, which add up
};

struct OutputMessage {
  std::string_view name;
  std::vector<MessageParameter> parameters;
};

struct InferRequestMessage {
  std::string_view model;
  std::string_view version;
  std::string_view id;
  std::vector<MessageParameter> parameters;
  std::vector<InputMessage> inputs;
  std::vector<OutputMessage> outputs;
  std::vector<std::string_view> raw_inputs;
};

// INTERNAL where the bytes are no such message, as implementations of gRPC answer.
Result<InferRequestMessage> ParseInferRequest(std::string_view bytes);

// The elements of an input that has contents, as bytes of its type. INVALID_ARGUMENT for contents of another
// type.
Result<std::string> ElementsOf(const InputMessage& input, TRITONSERVER_DataType type);

// Of ModelReadyRequest.
struct ModelReadyMessage {
  std::string_view name;
  std::string_view version;
};
Result<ModelReadyMessage> ParseModelReady(std::string_view bytes);
// INTERNAL where the bytes are no message at all.
Status CheckMessage(std::string_view bytes, const char* name);

}  // namespace workbench
