// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Request: one request of a batch and its response. The batch owns it, and answers and releases it exactly
// once, whatever the backend does or forgets.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "workbench/backend/tensor.hpp"

namespace workbench {

class Request {
 public:
  Request(TRITONBACKEND_Request* handle, bool has_batch_dimension, detail::Scratch* scratch)
      : handle_(handle), has_batch_dimension_(has_batch_dimension), scratch_(scratch) {}

  // ---- What was asked ----
  std::string id() const {
    const char* id = nullptr;
    Check(TRITONBACKEND_RequestId(handle_, &id));
    return id == nullptr ? "" : id;
  }
  uint64_t correlation_id() const {
    uint64_t id = 0;
    Check(TRITONBACKEND_RequestCorrelationId(handle_, &id));
    return id;
  }
  // Bits of TRITONSERVER_RequestFlag.
  uint32_t flags() const {
    uint32_t flags = 0;
    Check(TRITONBACKEND_RequestFlags(handle_, &flags));
    return flags;
  }
  bool is_cancelled() const {
    bool is_cancelled = false;
    Check(TRITONBACKEND_RequestIsCancelled(handle_, &is_cancelled));
    return is_cancelled;
  }
  uint32_t input_count() const {
    uint32_t count = 0;
    Check(TRITONBACKEND_RequestInputCount(handle_, &count));
    return count;
  }
  // Throws INVALID_ARG where the request has no such input. Their order may differ from request to request.
  Input input(const char* name) const {
    TRITONBACKEND_Input* input = nullptr;
    Check(TRITONBACKEND_RequestInput(handle_, name, &input));
    return Input(input, scratch_);
  }
  Input input(uint32_t index) const {
    TRITONBACKEND_Input* input = nullptr;
    Check(TRITONBACKEND_RequestInputByIndex(handle_, index, &input));
    return Input(input, scratch_);
  }
  // For inputs that the configuration calls optional.
  bool has_input(const char* name) const {
    TRITONBACKEND_Input* input = nullptr;
    TRITONSERVER_Error* error = TRITONBACKEND_RequestInput(handle_, name, &input);
    if (error != nullptr) TRITONSERVER_ErrorDelete(error);
    return error == nullptr;
  }
  // Whether the caller wants this output. Asking saves the work; writing it all the same does no harm.
  bool wants(const char* name) const {
    uint32_t count = 0;
    Check(TRITONBACKEND_RequestOutputCount(handle_, &count));
    for (uint32_t index = 0; index < count; ++index) {
      const char* wanted = nullptr;
      Check(TRITONBACKEND_RequestOutputName(handle_, index, &wanted));
      if (std::strcmp(wanted, name) == 0) return true;
    }
    return false;
  }
  // Rows of its batch: the first dimension of its inputs, 1 for a model that does not batch.
  int64_t rows() const {
    if (!has_batch_dimension_ || input_count() == 0) return 1;
    const Shape shape = input(uint32_t{0}).shape();
    return shape.empty() ? 1 : shape[0];
  }

  // ---- Its answer ----
  // The name must outlive the use of the output: a literal does.
  Output output(const char* name) { return Output(this, name); }
  void SetParameter(const char* name, const char* value) {
    Check(TRITONBACKEND_ResponseSetStringParameter(OpenResponse(), name, value));
  }
  void SetParameter(const char* name, int64_t value) {
    Check(TRITONBACKEND_ResponseSetIntParameter(OpenResponse(), name, value));
  }
  void SetParameter(const char* name, bool value) {
    Check(TRITONBACKEND_ResponseSetBoolParameter(OpenResponse(), name, value));
  }
  // Answers this request alone with an error; the others of the batch go on.
  void Fail(TRITONSERVER_Error_Code code, const std::string& text) { Fail(Error(code, text)); }
  void Fail(const Error& error) {
    if (!is_sent_ && !error_) error_.emplace(error);
  }
  bool has_failed() const { return error_.has_value(); }
  // Sends the response now and not at the end of the execution. A request without outputs needs it.
  void Send() {
    is_answered_ = true;
    SendFinal();
  }
  // For decoupled models: sends what was written so far as one of several responses.
  void SendPartial() {
    TRITONBACKEND_Response* response = OpenResponse();
    response_ = nullptr;
    is_streaming_ = true;
    Check(TRITONBACKEND_ResponseSend(response, 0, nullptr));
  }
  TRITONBACKEND_Request* handle() const { return handle_; }

  // ---- For the batch ----
  // Answers with what was written, or says that nothing was.
  void Finish() noexcept {
    if (is_sent_) return;
    if (!error_ && !is_answered_ && !is_streaming_) {
      error_.emplace(TRITONSERVER_ERROR_INTERNAL, "the backend gave no answer to this request");
    }
    SendFinal();
  }
  void Release() noexcept {
    detail::LogFailure(TRITONBACKEND_RequestRelease(handle_, TRITONSERVER_REQUEST_RELEASE_ALL),
                       "releasing a request");
  }

 private:
  friend class Output;

  TRITONBACKEND_Response* OpenResponse() {
    if (is_sent_) throw Internal("the response of this request was sent already");
    if (response_ == nullptr) Check(TRITONBACKEND_ResponseNew(&response_, handle_));
    is_answered_ = true;
    return response_;
  }

  void SendFinal() noexcept {
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

  void EndStream() noexcept {
    TRITONBACKEND_ResponseFactory* factory = nullptr;
    TRITONSERVER_Error* failure = TRITONBACKEND_ResponseFactoryNew(&factory, handle_);
    if (failure != nullptr) return detail::LogFailure(failure, "ending a stream");
    detail::LogFailure(TRITONBACKEND_ResponseFactorySendFlags(factory, TRITONSERVER_RESPONSE_COMPLETE_FINAL),
                       "ending a stream");
    detail::LogFailure(TRITONBACKEND_ResponseFactoryDelete(factory), "ending a stream");
  }

  TRITONBACKEND_Request* handle_;
  bool has_batch_dimension_;
  detail::Scratch* scratch_;
  TRITONBACKEND_Response* response_ = nullptr;
  std::optional<Error> error_;
  bool is_answered_ = false;   // something was written, or Send was called
  bool is_streaming_ = false;  // SendPartial was called
  bool is_sent_ = false;       // the final response is on its way
};

inline void* Output::Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size) const {
  TRITONSERVER_MemoryType memory_type = TRITONSERVER_MEMORY_CPU;
  int64_t memory_type_id = 0;
  void* data = Allocate(type, shape, byte_size, &memory_type, &memory_type_id);
  if (memory_type != TRITONSERVER_MEMORY_GPU) return data;
  throw Unsupported(detail::Join(
      {"output '", name_, "' is wanted in GPU memory, and this backend writes the processor's"}));
}

inline void* Output::Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size,
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
