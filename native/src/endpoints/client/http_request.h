// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// HttpSample, HttpRequest: the bytes of an inference request over HTTP. Pure.
#pragma once

#include <string>

#include "load/request_plan.h"

namespace workbench {

// What is the same for every request made of a sample.
struct HttpSample {
  std::string fields;      // request line and header fields, without those of the lengths
  std::string json;        // the head of the protocol up to its parameters, without the last brace
  std::string parameters;  // members of the object "parameters", without its braces; may be empty
  std::string tensors;     // bytes of the inputs, in their order

  // The whole request but its tensors, which follow.
  std::string Head(const PlannedRequest& planned) const;
};

// What the status of a reply says, as the protocol's servers mean it.
StatusCode StatusOfHttp(unsigned status);

}  // namespace workbench
