// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Outputs of backends, which may hold anything, as messages of gRPC: five bytes (type, form, number of dims,
// rows, classes), then the bytes of the output. What is framed is a message of that size.
#include <cstdlib>

#include "endpoints/grpc/infer_response.h"
#include "endpoints/grpc/wire.h"
#include "fuzz/interface.h"

namespace {

std::string Framed(workbench::OutgoingMessage* message, workbench::ContentCoding coding) {
  if (!message->Frame(coding, workbench::kDefaultLevel).ok()) std::abort();
  std::string bytes;
  message->Read(0, SIZE_MAX, [&bytes](std::string_view part) { bytes += part; });
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5) return 0;
  workbench::InferPlan plan;
  if (data[1] % 4 == 2) plan.outputs.push_back({"OUTPUT0", true, data[4], "", {}});
  const auto made =
      workbench::InferResponseOf(workbench::ResponseOf(data, size), plan, data[3] % 2 == 0, data[1] % 2 == 0);
  if (!made.ok()) return 0;
  workbench::OutgoingMessage& message = *made.value();
  if (data[1] % 8 < 4) workbench::WrapForStream(&message);
  const size_t byte_size = message.byte_size();
  const bool is_packed = data[1] % 16 < 8;
  const std::string bytes =
      Framed(&message, is_packed ? workbench::ContentCoding::kGzip : workbench::ContentCoding::kNone);
  if (is_packed) return 0;
  constexpr size_t kFrame = 5;
  if (bytes.size() != kFrame + byte_size) std::abort();
  workbench::WireReader reader(std::string_view(bytes).substr(kFrame));
  while (reader.Next()) {
  }
  if (!reader.ok()) std::abort();
  return 0;
}
