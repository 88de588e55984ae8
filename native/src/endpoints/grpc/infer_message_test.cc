// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/infer_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "endpoints/grpc/wire.h"

namespace workbench {
namespace {

std::string Parameter(std::string_view name, std::string_view value) {
  std::string entry;
  AppendBytes(1, name, &entry);
  AppendBytes(2, value, &entry);
  return entry;
}

std::string Number(uint32_t kind, uint64_t value) {
  std::string bytes;
  AppendNumber(kind, value, &bytes);
  return bytes;
}

std::string Text(std::string_view text) {
  std::string bytes;
  AppendBytes(3, text, &bytes);
  return bytes;
}

std::string Packed(std::initializer_list<uint64_t> values) {
  std::string bytes;
  for (const uint64_t value : values) AppendVarint(value, &bytes);
  return bytes;
}

std::string AnInput() {
  std::string input;
  AppendBytes(1, "INPUT0", &input);
  AppendBytes(2, "INT32", &input);
  AppendBytes(3, Packed({1, 3}), &input);
  AppendBytes(4, Parameter("shared_memory_offset", Number(2, 16)), &input);
  std::string contents;
  AppendBytes(2, Packed({1, 2, static_cast<uint64_t>(int64_t{-3})}), &contents);
  AppendBytes(5, contents, &input);
  return input;
}

std::string ARequest() {
  std::string request, output;
  AppendBytes(1, "model", &request);
  AppendBytes(2, "2", &request);
  AppendBytes(3, "seven", &request);
  AppendBytes(4, Parameter("sequence_id", Text("here")), &request);
  AppendBytes(4, Parameter("priority", Number(5, 3)), &request);
  AppendBytes(5, AnInput(), &request);
  AppendBytes(1, "OUTPUT0", &output);
  AppendBytes(6, output, &request);
  AppendBytes(7, std::string_view("\0raw", 4), &request);
  return request;
}

TEST(InferMessageTest, ReadsAllThatARequestSays) {
  const std::string bytes = ARequest();
  const Result<InferRequestMessage> parsed = ParseInferRequest(bytes);
  ASSERT_TRUE(parsed.ok());
  const InferRequestMessage& request = parsed.value();
  EXPECT_EQ(request.model, "model");
  EXPECT_EQ(request.version, "2");
  EXPECT_EQ(request.id, "seven");
  ASSERT_EQ(request.parameters.size(), 2u);
  EXPECT_EQ(std::get<std::string_view>(request.parameters[0].value), "here");
  EXPECT_EQ(std::get<uint64_t>(request.parameters[1].value), 3u);
  ASSERT_EQ(request.inputs.size(), 1u);
  EXPECT_THAT(request.inputs[0].shape, testing::ElementsAre(1, 3));
  EXPECT_EQ(std::get<int64_t>(request.inputs[0].parameters[0].value), 16);
  EXPECT_EQ(request.outputs.at(0).name, "OUTPUT0");
  EXPECT_EQ(request.raw_inputs.at(0), std::string_view("\0raw", 4));
}

TEST(InferMessageTest, BorrowsRawBytesFromWhatWasReceived) {
  const std::string bytes = ARequest();
  const Result<InferRequestMessage> parsed = ParseInferRequest(bytes);
  const char* const raw = parsed.value().raw_inputs.at(0).data();
  EXPECT_TRUE(raw >= bytes.data() && raw < bytes.data() + bytes.size());
}

// The property of a parser that nobody can crash: whatever is cut off or changed, there is an answer.
TEST(InferMessageTest, AnswersEveryTruncationAndEveryChangedByte) {
  const std::string bytes = ARequest();
  int refused = 0;
  for (size_t length = 0; length < bytes.size(); ++length) {
    const std::string cut = bytes.substr(0, length);
    const Result<InferRequestMessage> parsed = ParseInferRequest(cut);
    refused += parsed.ok() ? 0 : 1;
    if (!parsed.ok()) continue;
    for (const InputMessage& input : parsed.value().inputs) (void)ElementsOf(input, TRITONSERVER_TYPE_INT32);
  }
  EXPECT_GT(refused, static_cast<int>(bytes.size()) / 2);
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const Result<InferRequestMessage> parsed = ParseInferRequest(changed);
      if (!parsed.ok()) continue;
      for (const InputMessage& input : parsed.value().inputs)
        (void)ElementsOf(input, TRITONSERVER_TYPE_INT32);
    }
  }
}

TEST(InferMessageTest, SkipsWhatItDoesNotKnow) {
  std::string bytes = ARequest();
  AppendNumber(1000, 5, &bytes);
  AppendBytes(1001, "later", &bytes);
  AppendNumber(1, 5, &bytes);  // a field it knows, of a type that is not the field's
  const Result<InferRequestMessage> parsed = ParseInferRequest(bytes);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().model, "model");
}

TEST(InferMessageTest, TakesTheLastOfWhatIsToldTwice) {
  std::string bytes = ARequest();
  AppendBytes(1, "other", &bytes);
  AppendBytes(4, Parameter("priority", Number(2, 9)), &bytes);
  const Result<InferRequestMessage> parsed = ParseInferRequest(bytes);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().model, "other");
  EXPECT_EQ(parsed.value().parameters.size(), 2u);
  EXPECT_EQ(std::get<int64_t>(parsed.value().parameters[1].value), 9);
}

TEST(InferMessageTest, RefusesTextsThatAreNoUtf8) {
  std::string bytes;
  AppendBytes(1, "\xff", &bytes);
  EXPECT_EQ(ParseInferRequest(bytes).status().code(), StatusCode::kInternal);
}

InputMessage InputOf(std::string_view type, std::string_view contents) {
  InputMessage input;
  input.name = "INPUT0";
  input.type = type;
  input.contents.push_back(contents);
  return input;
}

TEST(ContentsTest, ElementsMayBePackedOrNot) {
  std::string packed, single;
  AppendBytes(2, Packed({1, 2}), &packed);
  AppendNumber(2, 1, &single);
  AppendNumber(2, 2, &single);
  const std::string wanted("\1\0\2\0", 4);
  EXPECT_EQ(ElementsOf(InputOf("INT16", packed), TRITONSERVER_TYPE_INT16).value(), wanted);
  EXPECT_EQ(ElementsOf(InputOf("INT16", single), TRITONSERVER_TYPE_INT16).value(), wanted);
}

TEST(ContentsTest, OccurrencesAddUp) {
  std::string one;
  AppendNumber(1, 1, &one);
  InputMessage input = InputOf("BOOL", one);
  input.contents.push_back(one);
  EXPECT_EQ(ElementsOf(input, TRITONSERVER_TYPE_BOOL).value(), "\1\1");
}

TEST(ContentsTest, TextsGetTheirLength) {
  std::string texts;
  AppendBytes(8, "ab", &texts);
  AppendBytes(8, "", &texts);
  EXPECT_EQ(ElementsOf(InputOf("BYTES", texts), TRITONSERVER_TYPE_BYTES).value(),
            std::string("\2\0\0\0ab\0\0\0\0", 10));
}

TEST(ContentsTest, RefusesContentsOfAnotherTypeAndOnesThatAreCut) {
  std::string floats;
  AppendBytes(6, "1234567", &floats);
  EXPECT_EQ(ElementsOf(InputOf("INT32", floats), TRITONSERVER_TYPE_INT32).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(ElementsOf(InputOf("FP32", floats), TRITONSERVER_TYPE_FP32).status().code(),
            StatusCode::kInternal);
  EXPECT_EQ(ElementsOf(InputOf("FP16", floats), TRITONSERVER_TYPE_FP16).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace workbench
