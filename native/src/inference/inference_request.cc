// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_request.h"

#include <algorithm>

#include "inference/request_validation.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL

Status UnknownInput(const ModelSignature& signature, const char* name) {
  std::string known;
  for (const TensorSpec& input : signature.inputs) known += (known.empty() ? "" : ", ") + input.name;
  return InvalidArgumentError("model '" + signature.name + "' has no input '" + name + "'; its inputs are " +
                              known);
}

}  // namespace

InferenceRequest::Ptr InferenceRequest::New(InferenceTarget* target, int64_t requested_version) {
  Ptr request(FreeList<InferenceRequest>::Take());
  target->AddReference();
  request->target_ = target;
  request->requested_version_ = requested_version;
  return request;
}

void InferenceRequest::Recycle::operator()(InferenceRequest* request) const {
  request->target_->RemoveReference();
  request->target_ = nullptr;
  request->id_.clear();
  request->flags_ = 0;
  request->priority_ = 0;
  request->timeout_us_ = 0;
  request->correlation_id_ = 0;
  request->correlation_text_.clear();
  request->inputs_.Clear();
  request->requested_outputs_.clear();
  request->parameters_.Clear();
  request->on_release_.clear();
  request->delivery_ = ResponseDelivery();
  request->is_cancelled_.store(false, std::memory_order_relaxed);
  if (request->is_cancellation_shared_) {
    MutexLock lock(&request->cancellation_mutex_);
    request->cancellation_.reset();
    request->is_cancellation_shared_ = false;
  }
  FreeList<InferenceRequest>::Return(request);
}

void InferenceRequest::Cancel() {
  is_cancelled_.store(true, std::memory_order_release);
  MutexLock lock(&cancellation_mutex_);
  if (cancellation_) cancellation_->store(true, std::memory_order_release);
}

InferenceRequest::SharedCancellation InferenceRequest::ShareCancellation() {
  MutexLock lock(&cancellation_mutex_);
  if (!cancellation_) cancellation_ = std::make_shared<std::atomic<bool>>(is_cancelled());
  is_cancellation_shared_ = true;
  return cancellation_;
}

InferenceRequest::SharedCancellation InferenceRequest::shared_cancellation() {
  if (!is_cancellation_shared_) return nullptr;
  MutexLock lock(&cancellation_mutex_);
  return cancellation_;
}

RequestInput* InferenceRequest::FindInput(const char* name) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    RequestInput& input = inputs_[i];
    if (input.spec->name.c_str() == name || input.spec->name == name) return &input;
  }
  return nullptr;
}

Status InferenceRequest::AddInput(const char* name, DataType type, const int64_t* shape, size_t rank) {
  const TensorSpec* spec = signature().FindInput(name);
  if (spec == nullptr) return UnknownInput(signature(), name);
  if (FindInput(name) != nullptr)
    return InvalidArgumentError("input '" + spec->name + "' is in the request already");
  RequestInput& input = inputs_.Append();
  input.spec = spec;
  input.type = type;
  input.original_shape.assign(shape, shape + rank);
  return OkStatus();
}

Status InferenceRequest::AppendInputData(const char* name, const void* base, size_t byte_size,
                                         MemoryPlace place) {
  RequestInput* input = FindInput(name);
  if (input == nullptr) return InvalidArgumentError("add input '" + std::string(name) + "' before its data");
  if (byte_size > 0) input->buffers.push_back({base, byte_size, place});
  input->byte_size += byte_size;
  return OkStatus();
}

Status InferenceRequest::RemoveInputData(const char* name) {
  RequestInput* input = FindInput(name);
  if (input == nullptr) return InvalidArgumentError("the request has no input '" + std::string(name) + "'");
  input->Reset();
  return OkStatus();
}

Status InferenceRequest::RemoveInput(const char* name) {
  RequestInput* input = FindInput(name);
  if (input == nullptr) return InvalidArgumentError("the request has no input '" + std::string(name) + "'");
  std::swap(*input, inputs_[inputs_.size() - 1]);
  inputs_.RemoveLast();
  return OkStatus();
}

Status InferenceRequest::AddRequestedOutput(const char* name) {
  const TensorSpec* spec = signature().FindOutput(name);
  if (spec == nullptr) {
    return InvalidArgumentError("model '" + signature().name + "' has no output '" + std::string(name) + "'");
  }
  requested_outputs_.push_back(spec);
  return OkStatus();
}

Status InferenceRequest::Rebind(InferenceTarget* target) {
  const ModelSignature& signature = target->signature();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const TensorSpec* spec = signature.FindInput(inputs_[i].spec->name.c_str());
    if (spec == nullptr) return UnknownInput(signature, inputs_[i].spec->name.c_str());
    inputs_[i].spec = spec;
  }
  for (const TensorSpec*& output : requested_outputs_) {
    const TensorSpec* spec = signature.FindOutput(output->name.c_str());
    if (spec == nullptr) {
      return InvalidArgumentError("model '" + signature.name + "' has no output '" + output->name +
                                  "' any more");
    }
    output = spec;
  }
  target->AddReference();
  target_->RemoveReference();
  target_ = target;
  return OkStatus();
}

Status InferenceRequest::Prepare() {
  if (requested_outputs_.empty()) {
    outputs_.clear();
    for (const TensorSpec& output : signature().outputs) outputs_.push_back(&output);
  } else {
    outputs_ = requested_outputs_;
  }
  return ValidateInputs(signature(), &inputs_, this);
}

void InferenceRequest::Release(Ptr request, uint32_t flags) {
  request->target_->OnRequestReleased(request.get(), flags);
  request->is_in_inference_ = false;
  InferenceRequest* const raw = request.release();
  if (raw->on_release_.size() == 1) {  // the callback may delete the request, and the list with it
    const ReleaseCallback only = raw->on_release_.back();
    raw->on_release_.clear();
    only.call(raw, flags, only.userp);
    return;
  }
  std::vector<ReleaseCallback> callbacks;
  callbacks.swap(raw->on_release_);
  for (auto callback = callbacks.rbegin(); callback != callbacks.rend(); ++callback) {
    callback->call(raw, flags, callback->userp);
  }
}

void InferenceRequest::Fail(Ptr request, const Status& status) {
  InferenceResponse::Send(request->NewResponse(), kResponseFinal, status);
  Release(std::move(request), kReleaseAll);
}

}  // namespace workbench
