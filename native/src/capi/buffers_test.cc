// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the C interface tells of buffers, and the allocator's functions beside allocation.
#include "capi/interface_fixture.h"

namespace workbench {
namespace {

using testing::IsNull;
using testing::StrEq;

class BuffersTest : public InterfaceTest {
 protected:
  BuffersTest() { EXPECT_OK(TRITONSERVER_BufferAttributesNew(&attributes_)); }
  ~BuffersTest() override { EXPECT_OK(TRITONSERVER_BufferAttributesDelete(attributes_)); }
  TRITONSERVER_BufferAttributes* attributes_ = nullptr;
};

TEST_F(BuffersTest, AttributesStartAsEmptyHostMemoryAndTellWhatWasSet) {
  size_t byte_size = 7;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_GPU;
  int64_t id = 7;
  void* handle = this;
  EXPECT_OK(TRITONSERVER_BufferAttributesByteSize(attributes_, &byte_size));
  EXPECT_OK(TRITONSERVER_BufferAttributesMemoryType(attributes_, &type));
  EXPECT_OK(TRITONSERVER_BufferAttributesMemoryTypeId(attributes_, &id));
  EXPECT_OK(TRITONSERVER_BufferAttributesCudaIpcHandle(attributes_, &handle));
  EXPECT_EQ(byte_size, 0u);
  EXPECT_EQ(type, TRITONSERVER_MEMORY_CPU);
  EXPECT_EQ(id, 0);
  EXPECT_EQ(handle, nullptr);
  EXPECT_OK(TRITONSERVER_BufferAttributesSetByteSize(attributes_, 16));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetMemoryType(attributes_, TRITONSERVER_MEMORY_CPU_PINNED));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetMemoryTypeId(attributes_, 2));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetCudaIpcHandle(attributes_, this));
  EXPECT_OK(TRITONSERVER_BufferAttributesByteSize(attributes_, &byte_size));
  EXPECT_OK(TRITONSERVER_BufferAttributesMemoryType(attributes_, &type));
  EXPECT_OK(TRITONSERVER_BufferAttributesMemoryTypeId(attributes_, &id));
  EXPECT_OK(TRITONSERVER_BufferAttributesCudaIpcHandle(attributes_, &handle));
  EXPECT_EQ(byte_size, 16u);
  EXPECT_EQ(type, TRITONSERVER_MEMORY_CPU_PINNED);
  EXPECT_EQ(id, 2);
  EXPECT_EQ(handle, this);
}

TEST_F(BuffersTest, ABackendReadsTheAttributesThatTheSenderGave) {
  Load();
  NewRequest();
  const int64_t shape[] = {1, 4};
  EXPECT_OK(TRITONSERVER_InferenceRequestAddInput(request_, "IN", TRITONSERVER_TYPE_FP32, shape, 2));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetByteSize(attributes_, sizeof values_));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetMemoryType(attributes_, TRITONSERVER_MEMORY_CPU_PINNED));
  EXPECT_OK(TRITONSERVER_BufferAttributesSetCudaIpcHandle(attributes_, this));
  EXPECT_OK(
      TRITONSERVER_InferenceRequestAppendInputDataWithBufferAttributes(request_, "IN", values_, attributes_));
  inspection().on_request = [&](auto*, auto* request, auto*, auto*) {
    TRITONBACKEND_Input* input = nullptr;
    const void* base = nullptr;
    TRITONSERVER_BufferAttributes* read = nullptr;
    TRITONSERVER_MemoryType type;
    void* handle = nullptr;
    EXPECT_OK(TRITONBACKEND_RequestInput(request, "IN", &input));
    EXPECT_OK(TRITONBACKEND_InputBufferAttributes(input, 0, &base, &read));
    EXPECT_EQ(base, values_);
    EXPECT_OK(TRITONSERVER_BufferAttributesMemoryType(read, &type));
    EXPECT_EQ(type, TRITONSERVER_MEMORY_CPU_PINNED);
    EXPECT_OK(TRITONSERVER_BufferAttributesCudaIpcHandle(read, &handle));
    EXPECT_EQ(handle, this);
    EXPECT_OK(TRITONBACKEND_InputBufferAttributes(input, 1, &base, &read));
    EXPECT_THAT(base, IsNull());
    EXPECT_THAT(read, IsNull());
  };
  Send();
}

TEST_F(BuffersTest, TheAllocatorAddsToAttributesButSizeAndPlaceAreTheCores) {
  Load();
  EXPECT_OK(TRITONSERVER_ResponseAllocatorSetBufferAttributesFunction(
      allocator_, [](auto*, const char* tensor, auto* attributes, void*, void*) -> TRITONSERVER_Error* {
        EXPECT_THAT(tensor, StrEq("OUT"));
        EXPECT_OK(TRITONSERVER_BufferAttributesSetByteSize(attributes, 1));
        EXPECT_OK(TRITONSERVER_BufferAttributesSetMemoryType(attributes, TRITONSERVER_MEMORY_GPU));
        EXPECT_OK(TRITONSERVER_BufferAttributesSetMemoryTypeId(attributes, 3));
        EXPECT_OK(TRITONSERVER_BufferAttributesSetCudaIpcHandle(attributes, attributes));
        return nullptr;
      }));
  inspection().on_request = [](auto*, auto*, auto*, auto* output) {
    TRITONSERVER_BufferAttributes* attributes = nullptr;
    size_t byte_size = 0;
    TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_GPU;
    int64_t id = 7;
    void* handle = nullptr;
    EXPECT_OK(TRITONBACKEND_OutputBufferAttributes(output, &attributes));
    EXPECT_OK(TRITONSERVER_BufferAttributesByteSize(attributes, &byte_size));
    EXPECT_OK(TRITONSERVER_BufferAttributesMemoryType(attributes, &type));
    EXPECT_OK(TRITONSERVER_BufferAttributesMemoryTypeId(attributes, &id));
    EXPECT_OK(TRITONSERVER_BufferAttributesCudaIpcHandle(attributes, &handle));
    EXPECT_EQ(byte_size, 16u);
    EXPECT_EQ(type, TRITONSERVER_MEMORY_CPU);
    EXPECT_EQ(id, 0);
    EXPECT_NE(handle, nullptr);
  };
  EXPECT_THAT(TRITONSERVER_InferenceResponseError(Infer()), IsNull());
}

TEST_F(BuffersTest, ABackendIsToldWhereAnOutputWouldLieWhereTheAllocatorTells) {
  Load();
  auto ask = [](TRITONBACKEND_Request* request, TRITONSERVER_MemoryType* type) {
    int64_t id = 0;
    return Code(TRITONBACKEND_RequestOutputBufferProperties(request, "OUT", nullptr, type, &id));
  };
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_GPU;
  int code = kSuccess;
  inspection().on_request = [&](auto*, auto* request, auto*, auto*) { code = ask(request, &type); };
  Infer();
  EXPECT_EQ(code, TRITONSERVER_ERROR_UNAVAILABLE);
  EXPECT_OK(TRITONSERVER_ResponseAllocatorSetQueryFunction(
      allocator_,
      [](auto*, void*, const char* tensor, size_t* byte_size, auto* wished, int64_t*) -> TRITONSERVER_Error* {
        EXPECT_THAT(tensor, StrEq("OUT"));
        EXPECT_THAT(byte_size, IsNull());
        *wished = TRITONSERVER_MEMORY_CPU_PINNED;
        return nullptr;
      }));
  Send();
  EXPECT_EQ(code, kSuccess);
  EXPECT_EQ(type, TRITONSERVER_MEMORY_CPU_PINNED);
}

TEST_F(BuffersTest, ABackendReadsTheOutputsOfItsUnsentResponse) {
  Load();
  inspection().on_request = [](auto*, auto*, auto* response, auto*) {
    const char* name = nullptr;
    TRITONSERVER_DataType type;
    const int64_t* shape = nullptr;
    uint64_t rank = 0;
    EXPECT_OK(TRITONBACKEND_InferenceResponseOutput(response, 0, &name, &type, &shape, &rank));
    EXPECT_THAT(name, StrEq("OUT"));
    EXPECT_EQ(type, TRITONSERVER_TYPE_FP32);
    EXPECT_THAT(std::vector<int64_t>(shape, shape + rank), testing::ElementsAre(1, 4));
    EXPECT_OK(TRITONBACKEND_InferenceResponseOutputByName(response, "OUT", &type, &shape, &rank));
    EXPECT_CODE(TRITONBACKEND_InferenceResponseOutput(response, 1, &name, &type, &shape, &rank), INVALID_ARG);
    EXPECT_CODE(TRITONBACKEND_InferenceResponseOutputByName(response, "IN", &type, &shape, &rank), NOT_FOUND);
  };
  Infer();
}

TEST_F(BuffersTest, AnOutputOfLabelledClassesTellsTheLabels) {
  ModelSpec spec = Spec();
  spec.signature.outputs[0].labels =
      std::make_shared<std::vector<std::string>>(std::vector<std::string>{"cat", "", "dog"});
  Load(spec);
  TRITONSERVER_InferenceResponse* const response = Infer();
  Unload();
  auto label = [&](size_t index) {
    const char* text = "none";
    EXPECT_OK(TRITONSERVER_InferenceResponseOutputClassificationLabel(response, 0, index, &text));
    return text;
  };
  EXPECT_THAT(label(0), StrEq("cat"));
  EXPECT_THAT(label(1), IsNull());
  EXPECT_THAT(label(2), StrEq("dog"));
  EXPECT_THAT(label(3), IsNull());
  const char* text = nullptr;
  EXPECT_CODE(TRITONSERVER_InferenceResponseOutputClassificationLabel(response, 1, 0, &text), INVALID_ARG);
}

TEST(ParameterTest, OfBytesBorrowsThem) {
  TRITONSERVER_Parameter* const parameter = TRITONSERVER_ParameterBytesNew("file", "a\0b", 3);
  ASSERT_NE(parameter, nullptr);
  TRITONSERVER_ParameterDelete(parameter);
  EXPECT_THAT(TRITONSERVER_ParameterTypeString(TRITONSERVER_PARAMETER_BYTES), StrEq("BYTES"));
  EXPECT_THAT(TRITONSERVER_ParameterTypeString(TRITONSERVER_PARAMETER_DOUBLE), StrEq("DOUBLE"));
}

}  // namespace
}  // namespace workbench
