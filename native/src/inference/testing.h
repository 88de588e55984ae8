// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: a target that counts, and requests of it that count their answers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inference/inference_request.h"

namespace workbench {

class FakeTarget final : public InferenceTarget {
 public:
  FakeTarget() {
    signature_.name = "m";
    signature_.max_batch_size = 8;
    signature_.inputs.push_back({"IN", DataType::kFp32, {2}, false, {}, false, false, false});
    signature_.outputs.push_back({"OUT", DataType::kFp32, {2}, false, {}, false, false, false});
  }

  const ModelSignature& signature() const override { return signature_; }
  ModelSignature& mutable_signature() { return signature_; }
  void AddReference() override { ++references; }
  void RemoveReference() override { --references; }
  void OnRequestReleased(InferenceRequest*, uint32_t) override { ++released; }
  void AddInFlight() override { ++in_flight; }
  void RemoveInFlight() override { --in_flight; }

  int references = 0;
  int released = 0;
  int in_flight = 0;

 private:
  ModelSignature signature_;
};

// Sends requests and remembers what came back.
class FakeSender {
 public:
  struct Allocator final : ResponseAllocator {
    Status Allocate(const char*, void*, OutputBuffer* buffer) override {
      buffer->base = new char[buffer->byte_size];
      ++live;
      return OkStatus();
    }
    void Release(const OutputBuffer& buffer) override {
      delete[] static_cast<char*>(buffer.base);
      --live;
    }
    int live = 0;
  };

  RequestPtr NewRequest(InferenceTarget* target, uint64_t arrival_ns = 0, uint32_t rows = 1) {
    RequestPtr request = InferenceRequest::New(target);
    request->set_delivery({&allocator, nullptr, &FakeSender::OnResponse, this});
    request->AddReleaseCallback(&FakeSender::OnRelease, this);
    request->BeginInference(++serial_);
    request->arrival_ns = arrival_ns;
    request->rows = rows;
    return request;
  }

  Allocator allocator;
  std::vector<Status> answers;
  int released = 0;

 private:
  static void OnResponse(InferenceResponse* raw, uint32_t, void* self) {
    const InferenceResponse::Ptr response(raw);
    if (response) static_cast<FakeSender*>(self)->answers.push_back(response->error());
  }
  static void OnRelease(InferenceRequest* request, uint32_t, void* self) {
    RequestPtr(request).reset();
    ++static_cast<FakeSender*>(self)->released;
  }

  uint64_t serial_ = 0;
};

}  // namespace workbench
