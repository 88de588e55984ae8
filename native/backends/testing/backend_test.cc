// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "workbench/backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "fake_interface.h"

namespace workbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// What Execute does in a test.
std::function<void(Batch&)> on_batch;

struct BatchBackend {
  void Execute(Batch& batch) { on_batch(batch); }
};

class BackendTest : public ::testing::Test {
 protected:
  using Entry = detail::EntryPoints<BatchBackend>;

  void SetUp() override {
    ASSERT_EQ(TakeError(Entry::ModelInitialize(&model_)), "");
    ASSERT_EQ(TakeError(Entry::ModelInstanceInitialize(&instance_)), "");
  }
  void TearDown() override {
    EXPECT_EQ(TakeError(Entry::ModelInstanceFinalize(&instance_)), "");
    EXPECT_EQ(TakeError(Entry::ModelFinalize(&model_)), "");
  }

  // Executes a batch of requests with these values.
  void Execute(const std::vector<std::vector<float>>& values, std::function<void(Batch&)> body) {
    requests_.clear();
    for (const auto& one : values) requests_.push_back(FloatRequest(one));
    ExecuteRequests(std::move(body));
  }
  void ExecuteRequests(std::function<void(Batch&)> body) {
    on_batch = std::move(body);
    std::vector<TRITONBACKEND_Request*> handles;
    for (TRITONBACKEND_Request& request : requests_) handles.push_back(&request);
    ASSERT_EQ(TakeError(Entry::Execute(&instance_, handles.data(), static_cast<uint32_t>(handles.size()))),
              "");
  }
  const std::string& ErrorOf(size_t index) { return requests_[index].answers.at(0).error; }
  const TRITONBACKEND_Output& OutputOf(size_t index) {
    return requests_[index].answers.at(0).outputs.front();
  }

  TRITONBACKEND_Model model_;
  TRITONBACKEND_ModelInstance instance_{&model_};
  std::vector<TRITONBACKEND_Request> requests_;
};

void Echo(Request& request) { request.output("OUT").CopyFrom(request.input("IN")); }

TEST_F(BackendTest, AnswersCountsAndReleasesEachRequestOnceAndInThisOrder) {
  Execute({{1}, {2, 3}}, [](Batch& batch) { batch.ForEach(Echo); });
  for (const TRITONBACKEND_Request& request : requests_) {
    EXPECT_THAT(request.history, ElementsAre("sent", "counted", "released"));
    EXPECT_TRUE(request.answers[0].is_final);
  }
  EXPECT_EQ(OutputOf(1).bytes, BytesOf<float>({2, 3}));
  EXPECT_THAT(OutputOf(1).shape, ElementsAre(2, 1));
}

TEST_F(BackendTest, CountsRowsOfABatchAndTimesInOrder) {
  Execute({{1}, {2, 3}}, [](Batch& batch) {
    EXPECT_EQ(batch.rows(), 3);
    batch.ForEach(Echo);
  });
  EXPECT_THAT(instance_.batch_sizes, ElementsAre(3));
  EXPECT_TRUE(requests_[0].times.are_in_order());
}

TEST_F(BackendTest, ForgottenRequestGetsAnError) {
  Execute({{1}, {2}}, [](Batch& batch) { Echo(batch[0]); });
  EXPECT_EQ(ErrorOf(0), "");
  EXPECT_THAT(ErrorOf(1), HasSubstr("INTERNAL: the backend gave no answer"));
  EXPECT_THAT(requests_[1].history, ElementsAre("sent", "counted as failure", "released"));
}

TEST_F(BackendTest, ThrownErrorAnswersAllThatHaveNoFinalResponse) {
  Execute({{1}, {2}, {3}}, [](Batch& batch) {
    Echo(batch[0]);
    batch[0].Send();
    Echo(batch[1]);
    throw InvalidArgument("enough");
  });
  EXPECT_EQ(ErrorOf(0), "");
  EXPECT_EQ(ErrorOf(1), "INVALID_ARG: enough");
  EXPECT_EQ(ErrorOf(2), "INVALID_ARG: enough");
  for (const TRITONBACKEND_Request& request : requests_) EXPECT_THAT(request.answers, SizeIs(1));
}

TEST_F(BackendTest, ExceptionsOfAnyTypeBecomeInternal) {
  Execute({{1}}, [](Batch&) { throw std::runtime_error("odd"); });
  EXPECT_EQ(ErrorOf(0), "INTERNAL: odd");
  Execute({{1}}, [](Batch&) { throw 7; });
  EXPECT_THAT(ErrorOf(0), HasSubstr("INTERNAL: "));
}

TEST_F(BackendTest, OneRequestMayFailAlone) {
  Execute({{1}, {2}, {3}}, [](Batch& batch) {
    batch.ForEach([](Request& request) {
      if (request.input("IN").as<float>()[0] == 2)
        throw Error(TRITONSERVER_ERROR_UNAVAILABLE, "not this one");
      Echo(request);
    });
  });
  EXPECT_EQ(ErrorOf(0), "");
  EXPECT_EQ(ErrorOf(1), "UNAVAILABLE: not this one");
  EXPECT_EQ(ErrorOf(2), "");
}

TEST_F(BackendTest, InputAbsentFromARequestIsToldByTheCoresCode) {
  Execute({{1}}, [](Batch& batch) { batch[0].input("OTHER"); });
  EXPECT_EQ(ErrorOf(0), "NOT_FOUND: no such input");
}

TEST_F(BackendTest, GatherBorrowsALoneRequestsMemory) {
  Execute({{1, 2}}, [](Batch& batch) {
    EXPECT_EQ(static_cast<const void*>(batch.Gather<float>("IN").data()),
              batch[0].input("IN").bytes().data());
    Echo(batch[0]);
  });
}

TEST_F(BackendTest, GatherJoinsRequestsAndScatterDealsThem) {
  Execute({{1}, {2, 3}}, [](Batch& batch) {
    const Span<const float> in = batch.Gather<float>("IN");
    ASSERT_EQ(in.size(), 3u);
    const Span<float> out = batch.Scatter<float>("OUT", {2});
    for (size_t row = 0; row < in.size(); ++row) out[2 * row] = in[row], out[2 * row + 1] = -in[row];
  });
  EXPECT_EQ(OutputOf(0).bytes, BytesOf<float>({1, -1}));
  EXPECT_EQ(OutputOf(1).bytes, BytesOf<float>({2, -2, 3, -3}));
  EXPECT_THAT(OutputOf(1).shape, ElementsAre(2, 2));
}

TEST_F(BackendTest, GatherJoinsPiecesOfOneInput) {
  requests_.push_back(FloatRequest({}));
  requests_[0].inputs[0] = {
      "IN", TRITONSERVER_TYPE_FP32, {3, 1}, {BytesOf<float>({1}), BytesOf<float>({2, 3})}};
  ExecuteRequests([](Batch& batch) {
    const Span<const float> in = batch.Gather<float>("IN");
    EXPECT_THAT(std::vector<float>(in.begin(), in.end()), ElementsAre(1, 2, 3));
    batch[0].Send();
  });
  EXPECT_EQ(ErrorOf(0), "");
}

TEST_F(BackendTest, ElementsAreAlignedWhateverTheCallersMemory) {
  requests_.push_back(FloatRequest({}));
  requests_[0].inputs[0] = {"IN", TRITONSERVER_TYPE_FP32, {1, 1}, {"x" + BytesOf<float>({5})}};
  requests_[0].inputs[0].skipped = 1;
  ExecuteRequests([](Batch& batch) {
    const float* data = batch[0].input("IN").as<float>().data();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignof(float), 0u);
    EXPECT_EQ(*data, 5);
    batch[0].Send();
  });
}

TEST_F(BackendTest, WrongElementTypeIsRefused) {
  Execute({{1}}, [](Batch& batch) { batch[0].input("IN").as<int64_t>(); });
  EXPECT_THAT(ErrorOf(0), HasSubstr("INVALID_ARG: input 'IN' is FP32"));
}

TEST_F(BackendTest, InputInGpuMemoryIsRefusedAndNotRead) {
  requests_.push_back(FloatRequest({1}));
  requests_[0].inputs[0].memory_type = TRITONSERVER_MEMORY_GPU;
  ExecuteRequests([](Batch& batch) { batch[0].input("IN").as<float>(); });
  EXPECT_THAT(ErrorOf(0), HasSubstr("UNSUPPORTED: input 'IN' lies in GPU memory"));
}

TEST_F(BackendTest, StringsPassWholeWithNullCharactersAndEmpty) {
  const std::vector<std::string> texts = {"one", "", std::string("a\0b", 3)};
  requests_.push_back({});
  requests_[0].inputs.push_back({"IN", TRITONSERVER_TYPE_BYTES, {1, 3}, {BytesOfTexts(texts)}});
  ExecuteRequests([](Batch& batch) {
    const Input input = batch[0].input("IN");
    batch[0].output("OUT").Write(input.strings(), input.shape());
  });
  EXPECT_EQ(OutputOf(0).bytes, BytesOfTexts(texts));
}

TEST_F(BackendTest, BrokenStringTensorsAreRefused) {
  const std::string whole = BytesOfTexts({"one", "two"});
  for (size_t size : {size_t{0}, size_t{3}, size_t{5}, size_t{7}, whole.size() - 1}) {
    requests_.assign(1, {});
    requests_[0].inputs.push_back({"IN", TRITONSERVER_TYPE_BYTES, {1, 2}, {whole.substr(0, size)}});
    ExecuteRequests([](Batch& batch) { batch[0].input("IN").strings(); });
    EXPECT_THAT(ErrorOf(0), HasSubstr("INVALID_ARG: input 'IN' is no string tensor")) << size;
  }
}

TEST_F(BackendTest, OutputThatNobodyWantsGoesNowhere) {
  requests_.push_back(FloatRequest({1}));
  requests_[0].wanted = {"ELSE"};
  ExecuteRequests([](Batch& batch) {
    EXPECT_FALSE(batch[0].wants("OUT"));
    Echo(batch[0]);
  });
  EXPECT_EQ(ErrorOf(0), "");
  EXPECT_THAT(requests_[0].answers[0].outputs, SizeIs(0));
}

TEST_F(BackendTest, WrongNumberOfElementsIsTheBackendsFault) {
  Execute({{1}}, [](Batch& batch) { batch[0].output("OUT").Write(std::vector<float>{1, 2}, {1, 3}); });
  EXPECT_THAT(ErrorOf(0), HasSubstr("INTERNAL: output 'OUT' of shape [1, 3] was given 2 elements"));
}

TEST_F(BackendTest, StreamsAreEndedOnceAlsoWhenForgotten) {
  Execute({{1}}, [](Batch& batch) {
    Echo(batch[0]);
    batch[0].SendPartial();
    Echo(batch[0]);
    batch[0].SendPartial();
  });
  ASSERT_THAT(requests_[0].answers, SizeIs(3));
  EXPECT_FALSE(requests_[0].answers[1].is_final);
  EXPECT_TRUE(requests_[0].answers[2].is_final);
  EXPECT_THAT(requests_[0].history, ElementsAre("sent", "sent", "sent", "counted", "released"));
}

// ---- Models and instances ----

struct Folder {
  explicit Folder(const Model& model) : path(model.path(model.parameter("vocabulary"))) {}
  std::string path;
};
struct Reader {
  Reader(const Folder& folder, const Instance& instance) : text(folder.path + " for " + instance.name()) {}
  void Execute(Request& request) { request.SetParameter("text", text.c_str()); }
  std::string text;
};
using ReaderEntry = detail::EntryPoints<Reader, Folder>;

TEST(ModelTest, ParametersAndFilesReachTheModelsState) {
  TRITONBACKEND_Model model;
  model.config = R"({"parameters": {"vocabulary": {"string_value": "words.txt"}}})";
  TRITONBACKEND_ModelInstance instance{&model};
  ASSERT_EQ(TakeError(ReaderEntry::ModelInitialize(&model)), "");
  ASSERT_EQ(TakeError(ReaderEntry::ModelInstanceInitialize(&instance)), "");
  EXPECT_EQ(TakeError(ReaderEntry::ModelInstanceFinalize(&instance)), "");
  EXPECT_EQ(TakeError(ReaderEntry::ModelFinalize(&model)), "");
}

TEST(ModelTest, MissingParameterFailsTheLoadAndFinalizeCopes) {
  TRITONBACKEND_Model model;
  EXPECT_THAT(TakeError(ReaderEntry::ModelInitialize(&model)),
              HasSubstr("INVALID_ARG: model 'm' needs parameters"));
  EXPECT_EQ(TakeError(ReaderEntry::ModelFinalize(&model)), "");
}

TEST(ModelTest, ParametersHaveTypesAndFallbacks) {
  TRITONBACKEND_Model handle;
  handle.config =
      R"({"parameters": {"n": {"string_value": "7"}, "x": {"string_value": "0.5"}, "bad": {"string_value": "q"}}})";
  const Model model(&handle);
  EXPECT_EQ(model.parameter("n", 1), 7);
  EXPECT_DOUBLE_EQ(model.parameter("x", 1.0), 0.5);
  EXPECT_EQ(model.parameter("absent", 3), 3);
  EXPECT_EQ(model.parameter("absent", "text"), "text");
  EXPECT_THROW(model.parameter("bad", 1), Error);
  EXPECT_THROW(model.parameter("bad", 1.0), Error);
}

TEST(ModelTest, PathsMayBeAbsolute) {
  TRITONBACKEND_Model handle;
  const Model model(&handle);
  EXPECT_EQ(model.path("/etc/words"), "/etc/words");
  EXPECT_EQ(model.path("words"), "/models/m/words");
}

TEST_F(BackendTest, AStateIsWrittenAndHandedOn) {
  Execute({{1, 2}}, [](Batch& batch) {
    batch[0].state("SUM").Write(std::vector<int32_t>{7, 8}, {1, 2});
    batch[0].Send();
  });
  const TRITONBACKEND_State& state = requests_[0].states.front();
  EXPECT_EQ(state.name, "SUM");
  EXPECT_THAT(state.shape, ElementsAre(1, 2));
  EXPECT_EQ(state.bytes, BytesOf(std::vector<int32_t>{7, 8}));
  EXPECT_TRUE(state.is_updated);
}

TEST_F(BackendTest, AStateOfAnotherSizeThanItsShapeFailsTheRequest) {
  Execute({{1}}, [](Batch& batch) {
    batch.ForEach([](Request& request) { request.state("SUM").Write(std::vector<int32_t>{7}, {1, 2}); });
  });
  EXPECT_THAT(ErrorOf(0), HasSubstr("as many values"));
  EXPECT_FALSE(requests_[0].states.front().is_updated);
}

TEST_F(BackendTest, ARescheduledRequestSendsWhatItHasAndIsNotFinal) {
  requests_.clear();
  requests_.push_back(FloatRequest({1}));
  requests_[0].is_iterative = true;
  ExecuteRequests([](Batch& batch) {
    batch[0].output("OUT").Write(std::vector<float>{2}, {1, 1});
    batch[0].Reschedule();
  });
  ASSERT_THAT(requests_[0].answers, SizeIs(1));
  EXPECT_FALSE(requests_[0].answers[0].is_final);
  EXPECT_THAT(requests_[0].history, ElementsAre("sent", "counted", "rescheduled"));
}

TEST_F(BackendTest, AServerThatDoesNotRescheduleEndsTheRequest) {
  Execute({{1}}, [](Batch& batch) { batch[0].Reschedule(); });
  EXPECT_THAT(ErrorOf(0), HasSubstr("not iterative"));
  EXPECT_TRUE(requests_[0].answers[0].is_final);
  EXPECT_EQ(requests_[0].history.back(), "released");
}

}  // namespace
}  // namespace workbench
