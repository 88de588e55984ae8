// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/null_requests.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace workbench {
namespace {

size_t LargestInput(InferenceRequest& request) {
  size_t largest = 64;
  for (size_t i = 0; i < request.input_count(); ++i) {
    const RequestInput& input = request.input(i);
    size_t strings = sizeof(uint32_t);  // as many empty ones as the shape tells
    for (int64_t dim : input.shape) strings *= static_cast<size_t>(std::max<int64_t>(dim, 1));
    largest = std::max(largest, input.type == DataType::kBytes ? strings : input.byte_size);
  }
  return largest;
}

}  // namespace

Result<RequestPtr> NullRequests::Like(const InferenceRequest& other) {
  ASSIGN_OR_RETURN(const void* const zeros, Zeros(LargestInput(const_cast<InferenceRequest&>(other))));
  RequestPtr request = InferenceRequest::New(other.target());
  request->BecomeNullOf(other, zeros);
  if (other.states != nullptr) RETURN_IF_ERROR(GiveStates(other, request.get()));
  request->set_delivery({this, nullptr, &NullRequests::Drop, this});
  request->AddReleaseCallback(&NullRequests::OnRelease, this);
  request->BeginInference(0, other.arrival_ns);
  request->target()->AddInFlight();
  return request;
}

Result<const void*> NullRequests::Zeros(size_t byte_size) {
  MutexLock lock(&mutex_);
  if (zeros_.empty() || zeros_.back().byte_size() < byte_size) {
    const size_t doubled = zeros_.empty() ? 0 : 2 * zeros_.back().byte_size();
    ASSIGN_OR_RETURN(Buffer buffer, Buffer::Allocate(memory_, std::max(byte_size, doubled)));
    std::memset(buffer.data(), 0, buffer.byte_size());
    zeros_.push_back(std::move(buffer));
  }
  return static_cast<const void*>(zeros_.back().data());
}

std::unique_ptr<SequenceStates> NullRequests::TakeStates() {
  {
    MutexLock lock(&mutex_);
    if (!unused_states_.empty()) {
      std::unique_ptr<SequenceStates> taken = std::move(unused_states_.back());
      unused_states_.pop_back();
      return taken;
    }
  }
  return std::make_unique<SequenceStates>(specs_, is_batched_, memory_);
}

Status NullRequests::GiveStates(const InferenceRequest& other, InferenceRequest* request) {
  std::unique_ptr<SequenceStates> states = TakeStates();
  RETURN_IF_ERROR(states->Imitate(*other.states));
  for (size_t i = 0; i < states->size(); ++i) request->GiveInput((*states)[i].Present());
  request->states = states.release();  // until its release
  return OkStatus();
}

void NullRequests::OnRelease(InferenceRequest* raw, uint32_t, void* self) {
  auto* const owner = static_cast<NullRequests*>(self);
  const RequestPtr request(raw);
  std::unique_ptr<SequenceStates> states(request->states);
  request->TakeAllGiven();
  if (!states) return;
  MutexLock lock(&owner->mutex_);
  owner->unused_states_.push_back(std::move(states));
}

void NullRequests::Drop(InferenceResponse* response, uint32_t, void*) {
  InferenceResponse::Ptr(response).reset();
}

Status NullRequests::Allocate(const char*, void*, OutputBuffer* buffer) {
  ASSIGN_OR_RETURN(buffer->base, memory_.Allocate(buffer->byte_size));
  buffer->place = memory_.place();
  return OkStatus();
}

void NullRequests::Release(const OutputBuffer& buffer) { memory_.Deallocate(buffer.base, buffer.byte_size); }

}  // namespace workbench
