// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the C interface: an engine, a model on the backend `inspects`, and requests sent by the
// interface's own functions.
#pragma once

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "engine/bridge.h"
#include "testing/inspection.h"
#include "triton/core/tritonbackend.h"
#include "triton/core/tritonserver.h"

namespace workbench {

constexpr int kSuccess = -1;

// The code of an error, which is deleted; kSuccess for none.
inline int Code(TRITONSERVER_Error* error) {
  if (error == nullptr) return kSuccess;
  const int code = TRITONSERVER_ErrorCode(error);
  TRITONSERVER_ErrorDelete(error);
  return code;
}

#define EXPECT_OK(expression) EXPECT_EQ(Code(expression), kSuccess) << #expression
#define EXPECT_CODE(expression, code) EXPECT_EQ(Code(expression), TRITONSERVER_ERROR_##code) << #expression

class InterfaceTest : public testing::Test {
 protected:
  InterfaceTest() : engine_(TRITONWORKBENCH_Bridge(kBridgeVersion)->new_engine({}).value()) {
    EXPECT_OK(TRITONSERVER_ResponseAllocatorNew(&allocator_, &Allocate, &Release, nullptr));
    inspection() = Inspection();
  }
  ~InterfaceTest() override {
    if (request_ != nullptr) EXPECT_OK(TRITONSERVER_InferenceRequestDelete(request_));
    DeleteResponses();
    Unload();
    inspection() = Inspection();
    EXPECT_OK(TRITONSERVER_ResponseAllocatorDelete(allocator_));
  }

  static const char* path() { return WB_TEST_BACKENDS "/libtriton_inspects.so"; }
  static Inspection& inspection() {
    static void* const library = dlopen(path(), RTLD_NOW | RTLD_LOCAL);
    return *static_cast<Inspection*>(dlsym(library, "wb_inspection"));
  }

  static ModelSpec Spec() {
    ModelSpec spec;
    spec.signature.name = "m";
    spec.signature.max_batch_size = 8;
    spec.signature.inputs.push_back({"IN", DataType::kFp32, {4}});
    spec.signature.outputs.push_back({"OUT", DataType::kFp32, {4}});
    spec.scheduling.batching = {false, 8, 0, {}};
    spec.instances.push_back({"m_0", "CPU", 0, false, ""});
    spec.config_json = "{}";
    return spec;
  }

  void Load(ModelSpec spec = Spec()) {
    auto backend = engine_->OpenBackend("inspects", path(), "{}");
    ASSERT_TRUE(backend.ok()) << backend.status().message();
    auto created = engine_->CreateModel(spec, backend->get());
    ASSERT_TRUE(created.ok()) << created.status().message();
    model_ = std::move(*created);
    ASSERT_TRUE(model_->Initialize().ok());
    ASSERT_TRUE(model_->Start(spec).ok());
    engine_->Publish(*model_);
  }
  void Unload() {
    if (!model_) return;
    engine_->Retire(*model_);
    EXPECT_TRUE(model_->Drain(10'000'000'000));
    EXPECT_TRUE(model_->Close().ok());
    model_.reset();
  }

  TRITONSERVER_Server* server() { return reinterpret_cast<TRITONSERVER_Server*>(engine_.get()); }

  // A request for the model, with its response callback and without inputs.
  TRITONSERVER_InferenceRequest* NewRequest() {
    EXPECT_OK(TRITONSERVER_InferenceRequestNew(&request_, server(), "m", -1));
    EXPECT_OK(TRITONSERVER_InferenceRequestSetReleaseCallback(request_, &OnRelease, this));
    EXPECT_OK(
        TRITONSERVER_InferenceRequestSetResponseCallback(request_, allocator_, this, &OnResponse, this));
    return request_;
  }
  void AddInput() {
    const int64_t shape[] = {1, 4};
    EXPECT_OK(TRITONSERVER_InferenceRequestAddInput(request_, "IN", TRITONSERVER_TYPE_FP32, shape, 2));
    EXPECT_OK(TRITONSERVER_InferenceRequestAppendInputData(request_, "IN", values_, sizeof values_,
                                                           TRITONSERVER_MEMORY_CPU, 0));
  }
  // Sends the request and waits until it is answered and released.
  TRITONSERVER_InferenceResponse* Send(TRITONSERVER_InferenceTrace* trace = nullptr) {
    answered_ = std::promise<void>();
    released_ = std::promise<void>();
    EXPECT_OK(TRITONSERVER_ServerInferAsync(server(), request_, trace));
    answered_.get_future().wait();
    released_.get_future().wait();
    return responses_.empty() ? nullptr : responses_.back();
  }
  TRITONSERVER_InferenceResponse* Infer() {
    NewRequest();
    AddInput();
    return Send();
  }
  void DeleteResponses() {
    for (auto* response : responses_) EXPECT_OK(TRITONSERVER_InferenceResponseDelete(response));
    responses_.clear();
  }

  float values_[4] = {1, 2, 3, 4};
  std::unique_ptr<EngineBridge> engine_;
  std::unique_ptr<ModelBridge> model_;
  TRITONSERVER_ResponseAllocator* allocator_ = nullptr;
  TRITONSERVER_InferenceRequest* request_ = nullptr;
  std::vector<TRITONSERVER_InferenceResponse*> responses_;

 private:
  static TRITONSERVER_Error* Allocate(TRITONSERVER_ResponseAllocator*, const char*, size_t byte_size,
                                      TRITONSERVER_MemoryType, int64_t, void*, void** buffer,
                                      void** buffer_userp, TRITONSERVER_MemoryType* type, int64_t* id) {
    *buffer = new char[byte_size];
    *buffer_userp = nullptr;
    *type = TRITONSERVER_MEMORY_CPU;
    *id = 0;
    return nullptr;
  }
  static TRITONSERVER_Error* Release(TRITONSERVER_ResponseAllocator*, void* buffer, void*, size_t,
                                     TRITONSERVER_MemoryType, int64_t) {
    delete[] static_cast<char*>(buffer);
    return nullptr;
  }
  static void OnResponse(TRITONSERVER_InferenceResponse* response, uint32_t flags, void* self) {
    auto* const test = static_cast<InterfaceTest*>(self);
    if (response != nullptr) test->responses_.push_back(response);
    if ((flags & TRITONSERVER_RESPONSE_COMPLETE_FINAL) != 0) test->answered_.set_value();
  }
  static void OnRelease(TRITONSERVER_InferenceRequest*, uint32_t, void* self) {
    static_cast<InterfaceTest*>(self)->released_.set_value();
  }

  std::promise<void> answered_;
  std::promise<void> released_;
};

}  // namespace workbench
