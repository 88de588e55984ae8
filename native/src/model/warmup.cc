// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/warmup.h"

#include <cstdlib>
#include <utility>

#include "model/model.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL

// Answers are thrown away.
class WarmupAllocator final : public ResponseAllocator {
 public:
  Status Allocate(const char*, void*, OutputBuffer* buffer) override {
    buffer->place = MemoryPlace();
    buffer->base = std::malloc(std::max<size_t>(buffer->byte_size, 1));
    return buffer->base != nullptr ? OkStatus() : UnavailableError("no memory for a warm-up's answer");
  }
  void Release(const OutputBuffer& buffer) override { std::free(buffer.base); }
};

// Never destroyed: an answer may be late.
ResponseAllocator* Allocator() {
  static WarmupAllocator* const allocator = new WarmupAllocator();
  return allocator;
}

// The requests of one execution, until all are answered and released.
class Execution {
 public:
  Status Add(const WarmupSample& sample, Model* model) {
    RequestPtr request = InferenceRequest::New(model);
    for (const WarmupSample::Input& input : sample.inputs) {
      const char* const name = input.name.c_str();
      RETURN_IF_ERROR(request->AddInput(name, input.type, input.shape.data(), input.shape.size()));
      RETURN_IF_ERROR(request->AppendInputData(name, input.bytes.data(), input.bytes.size(), MemoryPlace()));
    }
    request->set_delivery({Allocator(), nullptr, &Execution::OnResponse, this});
    request->AddReleaseCallback(&Execution::OnRelease, this);
    RETURN_IF_ERROR(request->Prepare());
    requests_.push_back(std::move(request));
    return OkStatus();
  }

  Status Run(Model* model, ModelInstance* instance) {
    Batch batch;
    {
      MutexLock lock(&mutex_);
      parts_left_ = 2 * requests_.size();
    }
    for (RequestPtr& request : requests_) {
      model->BeginInference(request.get());
      batch.requests.push_back(request.release());
    }
    batch.reason = BatchReason::kDirect;
    instance->Execute(std::move(batch));
    MutexLock lock(&mutex_);
    while (parts_left_ > 0) done_.Wait(&mutex_);
    return error_;
  }

 private:
  static void OnResponse(InferenceResponse* raw, uint32_t flags, void* self) {
    const InferenceResponse::Ptr response(raw);
    auto* const execution = static_cast<Execution*>(self);
    MutexLock lock(&execution->mutex_);
    if (response && !response->error().ok()) execution->error_ = response->error();
    if ((flags & kResponseFinal) != 0) execution->Part();
  }
  static void OnRelease(InferenceRequest* request, uint32_t flags, void* self) {
    if ((flags & kReleaseAll) == 0) return;
    RequestPtr(request).reset();
    auto* const execution = static_cast<Execution*>(self);
    MutexLock lock(&execution->mutex_);
    execution->Part();
  }
  void Part() REQUIRES(mutex_) {
    if (--parts_left_ == 0) done_.NotifyAll();
  }

  std::vector<RequestPtr> requests_;
  Mutex mutex_;
  CondVar done_;
  size_t parts_left_ GUARDED_BY(mutex_) = 0;  // a final answer and a release for each
  Status error_ GUARDED_BY(mutex_);
};

Status RunOnce(const WarmupSample& sample, Model* model, ModelInstance* instance) {
  Execution execution;
  for (uint32_t i = 0; i < sample.requests; ++i) RETURN_IF_ERROR(execution.Add(sample, model));
  return execution.Run(model, instance);
}

}  // namespace

Status WarmUp(const std::vector<WarmupSample>& samples, Model* model, ModelInstance* instance) {
  for (const WarmupSample& sample : samples) {
    for (uint32_t i = 0; i < sample.executions && sample.requests > 0; ++i) {
      const Status status = RunOnce(sample, model, instance);
      if (status.ok()) continue;
      return InvalidArgumentError("warm-up '" + sample.name + "' of instance '" + instance->options().name +
                                  "' failed: " + status.message());
    }
  }
  return OkStatus();
}

}  // namespace workbench
