// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/grpc/head.h"

#include "endpoints/load_report.h"

namespace workbench {

std::string* GrpcHead::FieldNamed(std::string_view name) {
  if (name == ":method") return &method_;
  if (name == ":path") return &path_;
  if (name == "content-type") return &content_type_;
  if (name == "authorization") return &authorization_;
  if (name == "grpc-timeout") return &timeout_;
  if (name == "grpc-encoding") return &coding_;
  if (name == "grpc-accept-encoding") return &accepted_;
  if (name == "triton_grpc_error") return &triton_grpc_error_;
  if (name == kTimingWish) return &timing_wish_;
  if (name == kLoadReportWish) return &load_report_format_;
  return nullptr;
}

void GrpcHead::Add(std::string_view name, std::string_view value) {
  constexpr size_t kEntrySize = 32;
  byte_size_ += name.size() + value.size() + kEntrySize;
  if (std::string* const field = FieldNamed(name)) field->assign(value);
}

// Of the kinds of gRPC the plain one, whatever its parameters; not that of browsers, whose frames differ.
bool GrpcHead::is_grpc() const {
  constexpr std::string_view kType = "application/grpc";
  if (method_ != "POST" || content_type_.compare(0, kType.size(), kType) != 0) return false;
  const std::string_view rest = std::string_view(content_type_).substr(kType.size());
  return rest.empty() || rest == "+proto" || rest[0] == ';';
}

GrpcStatus GrpcHead::Check(const std::string& token) const {
  if (!token.empty() && authorization_ != "Bearer " + token) {
    return {GrpcCode::kUnauthenticated, "the token is missing or wrong: authorization: Bearer ..."};
  }
  if (!CodingNamed(coding_).ok()) {
    return {GrpcCode::kUnimplemented, "grpc-encoding '" + coding_ + "' is not served; gzip and deflate are"};
  }
  if (timeout_.empty()) return {};
  const Result<std::chrono::nanoseconds> timeout = TimeoutOf(timeout_);
  return timeout.ok() ? GrpcStatus() : GrpcStatusOf(timeout.status());
}

ContentCoding GrpcHead::coding() const {
  const Result<ContentCoding> coding = CodingNamed(coding_);
  return coding.ok() ? coding.value() : ContentCoding::kNone;
}

std::optional<std::chrono::nanoseconds> GrpcHead::timeout() const {
  const Result<std::chrono::nanoseconds> timeout = TimeoutOf(timeout_);
  return timeout.ok() ? std::make_optional(timeout.value()) : std::nullopt;
}

}  // namespace workbench
