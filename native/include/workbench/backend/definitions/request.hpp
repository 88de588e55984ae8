// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What request.hpp declares, and what an Output needs of its Request.
#pragma once

#include <cstring>

#include "workbench/backend/request.hpp"

namespace workbench {

WB_INLINE std::string Request::id() const {
  const char* id = nullptr;
  Check(TRITONBACKEND_RequestId(handle_, &id));
  return id == nullptr ? "" : id;
}

WB_INLINE uint64_t Request::correlation_id() const {
  uint64_t id = 0;
  Check(TRITONBACKEND_RequestCorrelationId(handle_, &id));
  return id;
}

WB_INLINE std::string Request::correlation_text() const {
  const char* text = nullptr;
  TRITONSERVER_Error* error = TRITONBACKEND_RequestCorrelationIdString(handle_, &text);
  if (error != nullptr) TRITONSERVER_ErrorDelete(error);
  return error != nullptr || text == nullptr ? "" : text;
}

WB_INLINE State::State(TRITONBACKEND_Request* request, const char* name) : request_(request), name_(name) {}

WB_INLINE void* State::Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size) {
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  void* data = nullptr;
  Check(TRITONBACKEND_StateNew(&state_, request_, name_, type, shape.data(),
                               static_cast<uint32_t>(shape.size())));
  Check(TRITONBACKEND_StateBuffer(state_, &data, byte_size, &memory_type, &memory_type_id));
  return data;
}

WB_INLINE void State::Update() { Check(TRITONBACKEND_StateUpdate(state_)); }

WB_INLINE uint32_t Request::flags() const {
  uint32_t flags = 0;
  Check(TRITONBACKEND_RequestFlags(handle_, &flags));
  return flags;
}

WB_INLINE bool Request::is_cancelled() const {
  bool is_cancelled = false;
  Check(TRITONBACKEND_RequestIsCancelled(handle_, &is_cancelled));
  return is_cancelled;
}

WB_INLINE uint32_t Request::input_count() const {
  uint32_t count = 0;
  Check(TRITONBACKEND_RequestInputCount(handle_, &count));
  return count;
}

WB_INLINE Input Request::input(const char* name) const {
  TRITONBACKEND_Input* input = nullptr;
  Check(TRITONBACKEND_RequestInput(handle_, name, &input));
  return Input(input, scratch_);
}

WB_INLINE Input Request::input(uint32_t index) const {
  TRITONBACKEND_Input* input = nullptr;
  Check(TRITONBACKEND_RequestInputByIndex(handle_, index, &input));
  return Input(input, scratch_);
}

WB_INLINE bool Request::has_input(const char* name) const {
  TRITONBACKEND_Input* input = nullptr;
  TRITONSERVER_Error* error = TRITONBACKEND_RequestInput(handle_, name, &input);
  if (error != nullptr) TRITONSERVER_ErrorDelete(error);
  return error == nullptr;
}

WB_INLINE bool Request::wants(const char* name) const {
  uint32_t count = 0;
  Check(TRITONBACKEND_RequestOutputCount(handle_, &count));
  for (uint32_t index = 0; index < count; ++index) {
    const char* wanted = nullptr;
    Check(TRITONBACKEND_RequestOutputName(handle_, index, &wanted));
    if (std::strcmp(wanted, name) == 0) return true;
  }
  return false;
}

WB_INLINE int64_t Request::rows() const {
  if (!has_batch_dimension_ || input_count() == 0) return 1;
  const Shape shape = input(uint32_t{0}).shape();
  return shape.empty() ? 1 : shape[0];
}

WB_INLINE void Request::SetParameter(const char* name, const char* value) {
  Check(TRITONBACKEND_ResponseSetStringParameter(OpenResponse(), name, value));
}

WB_INLINE void Request::SetParameter(const char* name, int64_t value) {
  Check(TRITONBACKEND_ResponseSetIntParameter(OpenResponse(), name, value));
}

WB_INLINE void Request::SetParameter(const char* name, bool value) {
  Check(TRITONBACKEND_ResponseSetBoolParameter(OpenResponse(), name, value));
}

WB_INLINE void Request::SetParameter(const char* name, double value) {
  Check(TRITONBACKEND_ResponseSetDoubleParameter(OpenResponse(), name, value));
}

WB_INLINE void Request::Fail(const Error& error) {
  if (!is_sent_ && !error_) error_.emplace(error);
}

WB_INLINE void Request::Send() {
  is_answered_ = true;
  SendFinal();
}

WB_INLINE void Request::SendPartial() {
  TRITONBACKEND_Response* response = OpenResponse();
  response_ = nullptr;
  is_streaming_ = true;
  Check(TRITONBACKEND_ResponseSend(response, 0, nullptr));
}

WB_INLINE void Request::Finish() noexcept {
  if (is_sent_) return;
  if (is_rescheduled_ && !error_) {
    if (response_ == nullptr) return;
    return detail::LogFailure(TRITONBACKEND_ResponseSend(response_, 0, nullptr), "sending a response");
  }
  if (!error_ && !is_answered_ && !is_streaming_) {
    error_.emplace(TRITONSERVER_ERROR_INTERNAL, "the backend gave no answer to this request");
  }
  SendFinal();
}

WB_INLINE void Request::Release() noexcept {
  if (is_kept_) return;
  const bool is_done = is_sent_ || !is_rescheduled_;
  const uint32_t flags = is_done ? TRITONSERVER_REQUEST_RELEASE_ALL : TRITONSERVER_REQUEST_RELEASE_RESCHEDULE;
  TRITONSERVER_Error* refusal = TRITONBACKEND_RequestRelease(handle_, flags);
  if (refusal == nullptr || is_done) return detail::LogFailure(refusal, "releasing a request");
  // It is no iterative sequence's: it ends with what the server says.
  Fail(TRITONSERVER_ErrorCode(refusal), TRITONSERVER_ErrorMessage(refusal));
  TRITONSERVER_ErrorDelete(refusal);
  response_ = nullptr;
  SendFinal();
  Release();
}

WB_INLINE TRITONBACKEND_Response* Request::OpenResponse() {
  if (is_sent_) throw Internal("the response of this request was sent already");
  if (response_ == nullptr) Check(TRITONBACKEND_ResponseNew(&response_, handle_));
  is_answered_ = true;
  return response_;
}

WB_INLINE void Request::SendFinal() noexcept {
  if (is_sent_) return;
  is_sent_ = true;
  if (is_streaming_ && response_ == nullptr && !error_) return EndStream();
  if (response_ == nullptr) {
    TRITONSERVER_Error* failure = TRITONBACKEND_ResponseNew(&response_, handle_);
    if (failure != nullptr) return detail::LogFailure(failure, "making a response");
  }
  TRITONSERVER_Error* error = error_ ? TRITONSERVER_ErrorNew(error_->code(), error_->what()) : nullptr;
  detail::LogFailure(TRITONBACKEND_ResponseSend(response_, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error),
                     "sending a response");
  if (error != nullptr) TRITONSERVER_ErrorDelete(error);
}

WB_INLINE void Request::EndStream() noexcept {
  TRITONBACKEND_ResponseFactory* factory = nullptr;
  TRITONSERVER_Error* failure = TRITONBACKEND_ResponseFactoryNew(&factory, handle_);
  if (failure != nullptr) return detail::LogFailure(failure, "ending a stream");
  detail::LogFailure(TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL),
                     "ending a stream");
  detail::LogFailure(TRITONBACKEND_ResponseFactoryDelete(factory), "ending a stream");
}

WB_INLINE void* Output::Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size) const {
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  void* data = Allocate(type, shape, byte_size, &memory_type, &memory_type_id);
  if (memory_type != TRITONSERVER_MEMORY_GPU) return data;
  throw Unsupported(detail::Join(
      {"output '", name_, "' is wanted in GPU memory, and this backend writes the processor's"}));
}

WB_INLINE void* Output::Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size,
                                 TRITONSERVER_MemoryType* memory_type, int64_t* memory_type_id) const {
  TRITONBACKEND_Response* response = request_->OpenResponse();
  if (!request_->wants(name_)) {
    *memory_type = TRITONSERVER_MEMORY_CPU;
    return request_->scratch_->Take(byte_size);
  }
  TRITONBACKEND_Output* output = nullptr;
  Check(TRITONBACKEND_ResponseOutput(response, &output, name_, type, shape.data(),
                                     static_cast<uint32_t>(shape.size())));
  void* data = nullptr;
  Check(TRITONBACKEND_OutputBuffer(output, &data, byte_size, memory_type, memory_type_id));
  return data;
}

}  // namespace workbench
