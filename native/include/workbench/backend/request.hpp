// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Request: one request of a batch and its response. The batch owns it, and answers and releases it exactly
// once, whatever the backend does or forgets.
#pragma once

#include <optional>
#include <string>

#include "workbench/backend/state.hpp"
#include "workbench/backend/tensor.hpp"

namespace workbench {

class Request {
 public:
  Request(TRITONBACKEND_Request* handle, bool has_batch_dimension, detail::Scratch* scratch)
      : handle_(handle), has_batch_dimension_(has_batch_dimension), scratch_(scratch) {}

  // ---- What was asked ----
  std::string id() const;
  uint64_t correlation_id() const;
  // Empty where the id is a number.
  std::string correlation_text() const;
  // Bits of TRITONSERVER_RequestFlag.
  uint32_t flags() const;
  bool is_cancelled() const;
  uint32_t input_count() const;
  // Throws INVALID_ARG where the request has no such input. Their order may differ from request to request.
  Input input(const char* name) const;
  Input input(uint32_t index) const;
  // For inputs that the configuration calls optional.
  bool has_input(const char* name) const;
  // Whether the caller wants this output. Asking saves the work; writing it all the same does no harm.
  bool wants(const char* name) const;
  // Rows of its batch: the first dimension of its inputs, 1 for a model that does not batch.
  int64_t rows() const;

  // ---- Its answer ----
  // The name must outlive the use of the output: a literal does.
  Output output(const char* name) { return Output(this, name); }
  void SetParameter(const char* name, const char* value);
  void SetParameter(const char* name, int64_t value);
  void SetParameter(const char* name, bool value);
  void SetParameter(const char* name, double value);
  void SetParameter(const char* name, const std::string& value) { SetParameter(name, value.c_str()); }
  // Answers this request alone with an error; the others of the batch go on.
  void Fail(TRITONSERVER_Error_Code code, const std::string& text) { Fail(Error(code, text)); }
  void Fail(const Error& error);
  bool has_failed() const { return error_.has_value(); }
  // Sends the response now and not at the end of the execution. A request without outputs needs it.
  void Send();
  // The response is there even if no output is written.
  void AnswerEmpty() { OpenResponse(); }
  // A response factory of the backend's own answers the request, now or later.
  void AnswerLater() { is_sent_ = true; }
  // The backend reads the inputs beyond the execution, and releases the request itself.
  void KeepInputs() { is_kept_ = true; }
  // For decoupled models: sends what was written so far as one of several responses.
  void SendPartial();
  // A state that the next request of the sequence is to read, by the configuration's output_name. This one
  // reads it as an input, by its input_name.
  State state(const char* name) const { return State(handle_, name); }
  // For iterative sequences: what was written so far is sent, and the request is executed again.
  void Reschedule() { is_rescheduled_ = true; }
  TRITONBACKEND_Request* handle() const { return handle_; }

  // ---- For the batch ----
  void MoveTo(detail::Scratch* scratch) { scratch_ = scratch; }
  // Answers with what was written, or says that nothing was.
  void Finish() noexcept;
  void Release() noexcept;

 private:
  friend class Output;

  TRITONBACKEND_Response* OpenResponse();

  void SendFinal() noexcept;

  void EndStream() noexcept;

  TRITONBACKEND_Request* handle_;
  bool has_batch_dimension_;
  detail::Scratch* scratch_;
  TRITONBACKEND_Response* response_ = nullptr;
  std::optional<Error> error_;
  bool is_answered_ = false;   // something was written, or Send was called
  bool is_streaming_ = false;  // SendPartial was called
  bool is_sent_ = false;       // the final response is on its way
  bool is_rescheduled_ = false;
  bool is_kept_ = false;  // KeepInputs was called
};

}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/request.hpp"
#endif
