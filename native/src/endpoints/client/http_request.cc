// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/client/http_request.h"

namespace workbench {
namespace {

std::string SequenceMembers(const PlannedRequest& planned) {
  std::string members = "\"sequence_id\":" + std::to_string(planned.sequence);
  members += (planned.flags & kSequenceStart) != 0 ? ",\"sequence_start\":true" : ",\"sequence_start\":false";
  members += (planned.flags & kSequenceEnd) != 0 ? ",\"sequence_end\":true" : ",\"sequence_end\":false";
  return members;
}

std::string Json(const HttpSample& sample, const PlannedRequest& planned) {
  std::string members = sample.parameters;
  if (planned.sequence != 0) {
    if (!members.empty()) members += ',';
    members += SequenceMembers(planned);
  }
  return members.empty() ? sample.json + '}' : sample.json + ",\"parameters\":{" + members + "}}";
}

}  // namespace

std::string HttpSample::Head(const PlannedRequest& planned) const {
  const std::string head_json = Json(*this, planned);
  std::string head = fields;
  head += "Content-Type: application/octet-stream\r\nInference-Header-Content-Length: ";
  head += std::to_string(head_json.size());
  head += "\r\nContent-Length: ";
  head += std::to_string(head_json.size() + tensors.size());
  head += "\r\n\r\n";
  head += head_json;
  return head;
}

StatusCode StatusOfHttp(unsigned status) {
  switch (status) {
    case 400:
      return StatusCode::kInvalidArgument;
    case 404:
      return StatusCode::kNotFound;
    case 409:
      return StatusCode::kAlreadyExists;
    case 499:
      return StatusCode::kCancelled;
    case 500:
      return StatusCode::kInternal;
    case 501:
      return StatusCode::kUnsupported;
    case 503:
      return StatusCode::kUnavailable;
    default:
      return status >= 200 && status < 300 ? StatusCode::kOk : StatusCode::kUnknown;
  }
}

}  // namespace workbench
