// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What models, instances and backends report of themselves.
#include "capi/interface_fixture.h"

namespace workbench {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using testing::StrEq;

using StatisticsTest = InterfaceTest;

TEST_F(StatisticsTest, AnInstanceTellsItsProfilesAndSecondaryDevices) {
  ModelSpec spec = Spec();
  spec.instances[0].profiles = {"low", "high"};
  spec.instances[0].secondary_devices = {{"KIND_NVDLA", 1}};
  int asked = 0;
  inspection().on_instance = [&](TRITONBACKEND_ModelInstance* instance) {
    uint32_t count = 0;
    const char* text = nullptr;
    int64_t id = 0;
    EXPECT_OK(TRITONBACKEND_ModelInstanceProfileCount(instance, &count));
    EXPECT_EQ(count, 2u);
    EXPECT_OK(TRITONBACKEND_ModelInstanceProfileName(instance, 1, &text));
    EXPECT_THAT(text, StrEq("high"));
    EXPECT_CODE(TRITONBACKEND_ModelInstanceProfileName(instance, 2, &text), INVALID_ARG);
    EXPECT_OK(TRITONBACKEND_ModelInstanceSecondaryDeviceCount(instance, &count));
    EXPECT_EQ(count, 1u);
    EXPECT_OK(TRITONBACKEND_ModelInstanceSecondaryDeviceProperties(instance, 0, &text, &id));
    EXPECT_THAT(text, StrEq("KIND_NVDLA"));
    EXPECT_EQ(id, 1);
    EXPECT_CODE(TRITONBACKEND_ModelInstanceSecondaryDeviceProperties(instance, 1, &text, &id), INVALID_ARG);
    ++asked;
  };
  Load(spec);
  EXPECT_EQ(asked, 1);
}

TEST_F(StatisticsTest, ABackendTellsTheInstanceGroupsThatItPrefers) {
  inspection().on_attribute = [](TRITONBACKEND_BackendAttribute* attribute) {
    const uint64_t devices[] = {0, 2};
    EXPECT_OK(TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
        attribute, TRITONSERVER_INSTANCEGROUPKIND_GPU, 2, devices, 2));
    EXPECT_OK(TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
        attribute, TRITONSERVER_INSTANCEGROUPKIND_MODEL, 0, nullptr, 0));
  };
  auto backend = engine_->OpenBackend("inspects", path(), "{}");
  ASSERT_TRUE(backend.ok());
  const auto groups = (*backend)->preferred_groups();
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].kind, "GPU");
  EXPECT_THAT(groups[0].device_ids, ElementsAre(0, 2));
  EXPECT_EQ(groups[1].kind, "MODEL");
}

TEST_F(StatisticsTest, MemoryThatModelAndInstanceHoldIsSummedByPlace) {
  TRITONSERVER_BufferAttributes* usage = nullptr;
  EXPECT_OK(TRITONSERVER_BufferAttributesNew(&usage));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetByteSize(usage, 100));
  inspection().on_model = [&](auto* model) {
    EXPECT_OK(TRITONBACKEND_ModelReportMemoryUsage(model, &usage, 1));
  };
  inspection().on_instance = [&](auto* instance) {
    EXPECT_OK(TRITONBACKEND_ModelInstanceReportMemoryUsage(instance, &usage, 1));
  };
  Load();
  EXPECT_OK(TRITONSERVER_BufferAttributesDelete(usage));
  const auto held = model_->statistics().memory_usage;
  ASSERT_THAT(held, SizeIs(1));
  EXPECT_EQ(held[0].byte_size, 200u);
}

class ResponseStatisticsTest : public InterfaceTest {
 protected:
  ResponseStatisticsTest() { EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsNew(&statistics_)); }
  ~ResponseStatisticsTest() override {
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsDelete(statistics_));
  }
  int Report(uint64_t start, uint64_t output_start, uint64_t end, TRITONSERVER_Error* error = nullptr) {
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseStart(statistics_, start));
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsSetComputeOutputStart(statistics_, output_start));
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseEnd(statistics_, end));
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsSetError(statistics_, error));
    return Code(TRITONBACKEND_ModelInstanceReportResponseStatistics(statistics_));
  }
  TRITONBACKEND_ModelInstanceResponseStatistics* statistics_ = nullptr;
};

TEST_F(ResponseStatisticsTest, AreCountedByThePlaceOfTheResponse) {
  ModelSpec spec = Spec();
  spec.signature.is_decoupled = true;
  Load(spec);
  inspection().on_request = [&](auto* instance, auto* request, auto*, auto*) {
    TRITONBACKEND_ResponseFactory* factory = nullptr;
    EXPECT_OK(TRITONBACKEND_ResponseFactoryNew(&factory, request));
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsSetModelInstance(statistics_, instance));
    EXPECT_OK(TRITONBACKEND_ModelInstanceResponseStatisticsSetResponseFactory(statistics_, factory));
    EXPECT_EQ(Report(1, 3, 4), kSuccess);
    TRITONSERVER_Error* const error = TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "broken");
    EXPECT_EQ(Report(4, 5, 9, error), kSuccess);
    TRITONSERVER_ErrorDelete(error);
    EXPECT_EQ(Report(9, 0, 10), kSuccess);
    EXPECT_OK(TRITONBACKEND_ResponseFactoryDelete(factory));
  };
  Infer();
  const auto responses = model_->statistics().responses;
  ASSERT_THAT(responses, SizeIs(3));
  EXPECT_EQ(responses[0].success.ns, 3u);
  EXPECT_EQ(responses[1].fail.ns, 5u);
  EXPECT_EQ(responses[2].empty_response.ns, 1u);
}

TEST_F(ResponseStatisticsTest, NeedAnInstanceAndAFactory) {
  EXPECT_EQ(Report(1, 2, 3), TRITONSERVER_ERROR_INVALID_ARG);
}

TEST_F(StatisticsTest, ARequestCancelledInTheQueueIsAFailureOfThatReason) {
  ModelSpec spec = Spec();
  spec.scheduling.batching = {true, 8, 3'600'000'000'000, {}};
  Load(spec);
  CallOptions options;
  options.model = "m";
  options.inputs.push_back({"IN", DataType::kFp32, {1, 4}, values_, sizeof values_});
  auto call = engine_->Submit(options);
  ASSERT_TRUE(call.ok());
  (*call)->Cancel();
  engine_->Retire(*model_);
  EXPECT_TRUE((*call)->Wait(10'000'000'000));
  const StatisticsSnapshot snapshot = model_->statistics();
  EXPECT_EQ(snapshot.failures[static_cast<size_t>(FailureReason::kCancelled)], 1u);
  EXPECT_EQ(snapshot.fail.count, 1u);
}

TEST_F(StatisticsTest, BatchPropertiesTellWhetherTheFirstDimensionIsTheBatch) {
  uint32_t flags = 0;
  void* spare = this;
  EXPECT_CODE(TRITONSERVER_ServerModelBatchProperties(server(), "m", -1, &flags, &spare), NOT_FOUND);
  EXPECT_EQ(spare, nullptr);
  Load();
  EXPECT_OK(TRITONSERVER_ServerModelBatchProperties(server(), "m", -1, &flags, nullptr));
  EXPECT_EQ(flags, TRITONSERVER_BATCH_FIRST_DIM);
}

}  // namespace
}  // namespace workbench
