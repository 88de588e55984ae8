// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands in a request's head: its target, and the values of its fields; and base64 within a body.
#include "endpoints/http/route.h"

#include <cstdlib>

#include "endpoints/compression.h"
#include "endpoints/http/base64.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const workbench::HttpRoute route = workbench::RouteOf(text);
  const auto version = workbench::VersionOf(route);
  if (version.ok() && route.version.empty() && version.value() != -1) std::abort();
  (void)workbench::CodingNamed(text);
  (void)workbench::NameOf(workbench::CodingAccepted(text));
  (void)workbench::FromBase64(text, "a file");
  return 0;
}
