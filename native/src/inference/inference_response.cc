// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_response.h"

#include <utility>

#include "base/patience.h"
#include "inference/reshape.h"
#include "memory/memory_owner.h"

namespace workbench {
namespace {

Status AnsweredAlready() {
  return InvalidArgumentError("the request's final response was sent already; nothing can follow it");
}

}  // namespace

void InferenceResponse::Output::Reset() {
  buffer_ = OutputBuffer();
  has_buffer_ = false;
  if (labels_) labels_.reset();
}

Status InferenceResponse::Output::Allocate(size_t byte_size, MemoryPlace place) {
  if (has_buffer_)
    return AlreadyExistsError("output '" + name_ + "' has its buffer already; it can be asked for once");
  if (!response_->pass_.is_valid()) return AnsweredAlready();
  RETURN_IF_ERROR(response_->Start());
  buffer_.byte_size = byte_size;
  buffer_.place = place;
  // Asked for on any thread: a stream's callback does not say for whom.
  const uint16_t instance = ScopedMemoryOwner::Current().instance;
  const ScopedMemoryOwner owner({response_->signature_->number, instance, spec_->number});
  const ResponseDelivery& delivery = response_->delivery_;
  RETURN_IF_ERROR(delivery.allocator->Allocate(name_.c_str(), delivery.allocator_userp, &buffer_));
  has_buffer_ = true;
  return OkStatus();
}

void InferenceResponse::Output::Adopt(Output* other) {
  buffer_ = other->buffer_;
  has_buffer_ = std::exchange(other->has_buffer_, false);
}

InferenceResponse::Ptr InferenceResponse::New(const ModelSignature& signature, const std::string& request_id,
                                              const ResponseDelivery& delivery,
                                              const ResponseGate::Pass& pass) {
  Ptr response(FreeList<InferenceResponse>::Take());
  response->signature_ = &signature;
  response->model_name_ = signature.name;
  response->model_version_ = signature.version;
  response->request_id_ = request_id;
  response->delivery_ = delivery;
  response->pass_ = pass;
  response->is_being_made_.store(true, std::memory_order_relaxed);
  response->is_started_ = false;
  return response;
}

Result<InferenceResponse::Output*> InferenceResponse::NewOutput(const char* name, DataType type) {
  const TensorSpec* spec = signature_->FindOutput(name);
  if (spec == nullptr) {
    return InvalidArgumentError("model '" + model_name_ + "' declares no output '" + std::string(name) + "'");
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].name_ == name)
      return AlreadyExistsError("the response has output '" + std::string(name) + "' already");
  }
  Output& output = outputs_.Append();
  output.response_ = this;
  output.spec_ = spec;
  output.name_ = spec->name;
  output.type_ = type;
  if (spec->labels) output.labels_ = spec->labels;
  return &output;
}

Result<InferenceResponse::Output*> InferenceResponse::AddOutput(const char* name, DataType type,
                                                                const int64_t* shape, size_t rank) {
  ASSIGN_OR_RETURN(Output* const output, NewOutput(name, type));
  output->shape_.assign(shape, shape + rank);
  if (output->spec_->has_reshape) UndoReshape(*output->spec_, signature_->is_batched(), &output->shape_);
  return output;
}

Result<InferenceResponse::Output*> InferenceResponse::AddSettledOutput(const std::string& name, DataType type,
                                                                       const std::vector<int64_t>& shape) {
  ASSIGN_OR_RETURN(Output* const output, NewOutput(name.c_str(), type));
  output->shape_ = shape;
  return output;
}

Status InferenceResponse::TrySend(Ptr response, uint32_t flags, Status error) {
  const Patience patience;
  if (!ResponseGate::Admit(response->pass_, (flags & kResponseFinal) != 0)) return AnsweredAlready();
  response->is_being_made_.store(false, std::memory_order_relaxed);
  response->error_ = std::move(error);
  if (response->observer_) response->observer_->OnSend(*response);
  const ResponseDelivery delivery = response->delivery_;
  delivery.complete(response.release(), flags, delivery.userp);
  return OkStatus();
}

ErrorObject* InferenceResponse::error_object() {
  error_object_ = {error_.code(), error_.message()};
  return &error_object_;
}

Status InferenceResponse::Start() {
  if (is_started_) return OkStatus();
  is_started_ = true;
  return delivery_.allocator->Start(delivery_.allocator_userp);
}

void InferenceResponse::ReleaseBuffers() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].has_buffer_) delivery_.allocator->Release(outputs_[i].buffer_);
  }
}

void InferenceResponse::Recycle::operator()(InferenceResponse* response) const {
  response->is_being_made_.store(false, std::memory_order_relaxed);
  response->ReleaseBuffers();
  response->outputs_.Clear();
  response->parameters_.Clear();
  if (!response->error_.ok()) response->error_ = OkStatus();
  if (response->observer_) response->observer_.reset();
  FreeList<InferenceResponse>::Return(response);
}

}  // namespace workbench
