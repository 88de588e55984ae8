// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// GrpcHead: what the head of a call says, as far as it matters.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "endpoints/compression.h"
#include "endpoints/grpc/status.h"
#include "endpoints/request_timing.h"

namespace workbench {

class GrpcHead {
 public:
  void Add(std::string_view name, std::string_view value);
  // Why the call can not be served, whatever it asks for. token: what clients bring; empty: nothing.
  GrpcStatus Check(const std::string& token) const;

  bool is_grpc() const;
  // As header lists are counted: 32 bytes for an entry beside its texts.
  size_t byte_size() const { return byte_size_; }
  const std::string& path() const { return path_; }
  // REQUIRES of both: Check was passed.
  ContentCoding coding() const;
  std::optional<std::chrono::nanoseconds> timeout() const;
  ContentCoding accepted_coding() const { return CodingAccepted(accepted_); }
  // What the client wishes to be told beside the answer: see request_timing.h and load_report.h.
  bool wants_timing() const { return IsWished(timing_wish_); }
  const std::string& load_report_format() const { return load_report_format_; }
  // Errors of a stream's requests end it, instead of being told in its messages.
  bool wants_errors_as_status() const { return triton_grpc_error_ == "true"; }

 private:
  std::string* FieldNamed(std::string_view name);

  std::string method_, path_, content_type_, authorization_, timeout_, coding_, accepted_, triton_grpc_error_;
  std::string timing_wish_, load_report_format_;
  size_t byte_size_ = 0;
};

}  // namespace workbench
