// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <unistd.h>

#include <string_view>

#include "environment.h"
#include "options.h"

namespace ort {
namespace {

// What is to be done about a file that the library refuses, by its words.
std::string AdviceOn(const Api& api, std::string_view words) {
  const auto tells = [&](std::string_view part) { return words.find(part) != std::string_view::npos; };
  const std::string library = std::string("ONNX Runtime ") + api.version();
  if (tells("opset version") || tells("IR version")) {
    return "the file is newer than " + library +
           " knows; export it with an older opset, or install a newer onnxruntime";
  }
  if (tells("Protobuf parsing failed") || tells("No graph was found")) {
    return "the file is damaged, or no ONNX model; copy or export it again";
  }
  if (tells("No Op registered") || tells("is not a registered function/op")) {
    return "an operator is not one of " + library +
           "; a library that has it is named by model_operations { op_library_filename }";
  }
  return "";
}

OrtSession* Read(const Api& api, const workbench::Model& model, const std::string& path,
                 const Device& device) {
  if (access(path.c_str(), R_OK) != 0) {
    throw workbench::Error(TRITONSERVER_ERROR_NOT_FOUND, "model '" + model.name() + "' has no file " + path);
  }
  const Owned<OrtSessionOptions> options = SessionOptionsOf(api, model, device);
  OrtSession* session = nullptr;
  try {
    api.Check(api.create_session(Environment(api, model), path.c_str(), options.get(), &session));
  } catch (const workbench::Error& error) {
    const std::string advice = AdviceOn(api, error.what());
    throw workbench::Error(error.code(), std::string(error.what()) + (advice.empty() ? "" : ": ") + advice);
  }
  return session;
}

}  // namespace

Session::Session(const Api& api, const workbench::Model& model, const std::string& path, const Device& device)
    : api_(api),
      run_options_(RunOptionsOf(api, model)),
      session_(Read(api, model, path, device), api.release_session) {
  ReadTensors();
}

void Session::ReadTensors() {
  OrtAllocator* allocator = nullptr;
  api_.Check(api_.default_allocator(&allocator));
  const auto read = [&](auto count_of, auto type_of, auto name_of, std::vector<Tensor>* tensors) {
    size_t count = 0;
    api_.Check(count_of(session_.get(), &count));
    for (size_t i = 0; i < count; ++i) {
      OrtTypeInfo* type = nullptr;
      api_.Check(type_of(session_.get(), i, &type));
      const Owned<OrtTypeInfo> owned(type, api_.release_type);
      char* name = nullptr;
      api_.Check(name_of(session_.get(), i, allocator, &name));
      tensors->push_back(TensorOf(type, name));
      api_.Check(api_.allocator_free(allocator, name));
    }
  };
  read(api_.input_count, api_.input_type, api_.input_name, &inputs_);
  read(api_.output_count, api_.output_type, api_.output_name, &outputs_);
}

Tensor Session::TensorOf(OrtTypeInfo* type, char* name) const {
  Tensor tensor;
  tensor.name = name;
  const OrtTensorInfo* info = nullptr;
  api_.Check(api_.tensor_info(type, &info));
  if (info == nullptr) return tensor;  // a sequence or a map: of no element type
  api_.Check(api_.element_type(info, &tensor.element_type));
  size_t count = 0;
  api_.Check(api_.dim_count(info, &count));
  tensor.dims.resize(count);
  api_.Check(api_.dims(info, tensor.dims.data(), count));
  return tensor;
}

void Session::Run(const std::vector<const char*>& input_names, const std::vector<OrtValue*>& inputs,
                  const std::vector<const char*>& output_names, std::vector<OrtValue*>* outputs) const {
  api_.Check(api_.run(session_.get(), run_options_.get(), input_names.data(), inputs.data(), inputs.size(),
                      output_names.data(), output_names.size(), outputs->data()));
}

}  // namespace ort
