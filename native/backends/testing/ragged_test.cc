// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "workbench/backend/ragged.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "fake_interface.h"
#include "workbench/backend.hpp"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::function<void(Batch&)> on_batch;

struct RaggedBackend {
  void Execute(Batch& batch) { on_batch(batch); }
};
using Entry = detail::EntryPoints<RaggedBackend>;

// Two requests: two rows of [3], and one row of [2, 2] flattened to rank 2: shapes [2,3] and [1,4].
class RaggedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    model_.config = R"({"name": "m", "max_batch_size": 8,
      "input": [{"name": "IN", "dims": [-1]}], "output": [{"name": "OUT", "dims": [-1]}],
      "batch_input": [)" +
                    Rule("BATCH_ELEMENT_COUNT", "COUNT") + "," +
                    Rule("BATCH_ACCUMULATED_ELEMENT_COUNT", "ENDS") + "," +
                    Rule("BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO", "OFFSETS", "TYPE_FP32") + "," +
                    Rule("BATCH_MAX_ELEMENT_COUNT_AS_SHAPE", "LARGEST") + "," +
                    Rule("BATCH_ITEM_SHAPE", "SHAPES") + "," + Rule("BATCH_ITEM_SHAPE_FLATTEN", "FLAT") +
                    R"(], "batch_output": [{"kind": "BATCH_SCATTER_WITH_INPUT_SHAPE",
                        "target_name": ["OUT"], "source_input": ["IN"]}]})";
    ASSERT_EQ(TakeError(Entry::ModelInitialize(&model_)), "");
    ASSERT_EQ(TakeError(Entry::ModelInstanceInitialize(&instance_)), "");
    requests_.assign(2, {});
    requests_[0].inputs.push_back(
        {"IN", TRITONSERVER_TYPE_FP32, {2, 3}, {BytesOf<float>({1, 2, 3, 4, 5, 6})}});
    requests_[1].inputs.push_back({"IN", TRITONSERVER_TYPE_FP32, {1, 4}, {BytesOf<float>({7, 8, 9, 10})}});
  }
  void TearDown() override {
    EXPECT_EQ(TakeError(Entry::ModelInstanceFinalize(&instance_)), "");
    EXPECT_EQ(TakeError(Entry::ModelFinalize(&model_)), "");
  }
  static std::string Rule(const std::string& kind, const std::string& target,
                          const std::string& type = "TYPE_INT32") {
    return R"({"kind": ")" + kind + R"(", "target_name": [")" + target + R"("], "data_type": ")" + type +
           R"(", "source_input": ["IN"]})";
  }
  void Execute(std::function<void(Batch&)> body) {
    on_batch = std::move(body);
    std::vector<TRITONBACKEND_Request*> handles;
    for (TRITONBACKEND_Request& request : requests_) handles.push_back(&request);
    ASSERT_EQ(TakeError(Entry::Execute(&instance_, handles.data(), static_cast<uint32_t>(handles.size()))),
              "");
  }
  // Shape and elements of a batch input.
  std::pair<std::vector<int64_t>, std::vector<int32_t>> IntegersOf(const char* target) {
    std::pair<std::vector<int64_t>, std::vector<int32_t>> found;
    Execute([&](Batch& batch) {
      const BatchTensor tensor = batch.BatchInput(target);
      found.first.assign(tensor.shape().begin(), tensor.shape().end());
      const auto values = tensor.as<int32_t>();
      found.second.assign(values.begin(), values.end());
      for (Request& request : batch) request.Send();
    });
    return found;
  }

  TRITONBACKEND_Model model_;
  TRITONBACKEND_ModelInstance instance_{&model_};
  std::vector<TRITONBACKEND_Request> requests_;
};

TEST_F(RaggedTest, CountsElementsOfEachRequest) {
  const auto [shape, values] = IntegersOf("COUNT");
  EXPECT_THAT(shape, ElementsAre(2));
  EXPECT_THAT(values, ElementsAre(6, 4));
}

TEST_F(RaggedTest, AddsThemUp) { EXPECT_THAT(IntegersOf("ENDS").second, ElementsAre(6, 10)); }

TEST_F(RaggedTest, AddsThemUpFromZeroAsFloats) {
  Execute([](Batch& batch) {
    const auto values = batch.BatchInput("OFFSETS").as<float>();
    EXPECT_THAT(std::vector<float>(values.begin(), values.end()), ElementsAre(0, 6, 10));
    for (Request& request : batch) request.Send();
  });
}

TEST_F(RaggedTest, SaysTheLargestCountByAShape) { EXPECT_THAT(IntegersOf("LARGEST").first, ElementsAre(6)); }

TEST_F(RaggedTest, TellsTheShapeOfEachRow) {
  const auto [shape, values] = IntegersOf("SHAPES");
  EXPECT_THAT(shape, ElementsAre(3, 1));
  EXPECT_THAT(values, ElementsAre(3, 3, 4));
  EXPECT_THAT(IntegersOf("FLAT").first, ElementsAre(3));
}

TEST_F(RaggedTest, DealsAnOutputByTheShapesOfAnInput) {
  Execute([](Batch& batch) {
    const Span<const float> in = batch.Gather<float>("IN");
    const Span<float> out = batch.ScatterAsInput<float>("OUT");
    ASSERT_EQ(out.size(), in.size());
    for (size_t i = 0; i < in.size(); ++i) out[i] = -in[i];
  });
  const TRITONBACKEND_Output& first = requests_[0].answers.at(0).outputs.front();
  const TRITONBACKEND_Output& second = requests_[1].answers.at(0).outputs.front();
  EXPECT_THAT(first.shape, ElementsAre(2, 3));
  EXPECT_EQ(first.bytes, BytesOf<float>({-1, -2, -3, -4, -5, -6}));
  EXPECT_THAT(second.shape, ElementsAre(1, 4));
  EXPECT_EQ(second.bytes, BytesOf<float>({-7, -8, -9, -10}));
}

TEST_F(RaggedTest, WhatTheConfigurationDoesNotComputeIsNamed) {
  Execute([](Batch& batch) { batch.BatchInput("OTHER"); });
  EXPECT_THAT(requests_[0].answers.at(0).error, HasSubstr("no batch_input with target_name \"OTHER\""));
}

TEST_F(RaggedTest, ReadingAnotherTypeIsRefused) {
  Execute([](Batch& batch) { batch.BatchInput("COUNT").as<float>(); });
  EXPECT_THAT(requests_[0].answers.at(0).error, HasSubstr("and the backend reads it as FP32"));
}

}  // namespace
}  // namespace workbench
