// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of the generate extension, for a model with inputs of several types.
#include "endpoints/http/generate.h"

#include <cstring>
#include <memory>

#include "fuzz/interface.h"

namespace {

using workbench::DataType;

workbench::ModelSignature Signature() {
  workbench::ModelSignature signature;
  signature.name = "m";
  signature.max_batch_size = 8;
  const auto add = [&signature](const char* name, DataType type, std::vector<int64_t> dims) {
    workbench::TensorSpec tensor;
    tensor.name = name;
    tensor.type = type;
    tensor.dims = std::move(dims);
    signature.inputs.push_back(tensor);
  };
  add("INPUT0", DataType::kBytes, {1});
  add("INPUT1", DataType::kInt32, {-1});
  add("INPUT2", DataType::kFp64, {2, -1});
  add("INPUT3", DataType::kBool, {-1, -1});
  add("INPUT4", DataType::kUint64, {4});
  return signature;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const workbench::ModelSignature signature = Signature();
  const std::unique_ptr<char[]> body(new char[size]);
  if (size > 0) std::memcpy(body.get(), data, size);
  TRITONSERVER_InferenceRequest request;
  workbench::InferPlan plan;
  (void)workbench::ReadGenerateBody({body.get(), size}, signature, &request, &plan);
  return 0;
}
