// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "providers.h"

#include <string>
#include <utility>
#include <vector>

namespace ort {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct Texts {
  explicit Texts(const Settings& settings) {
    for (const auto& [key, value] : settings) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  std::vector<const char*> keys;
  std::vector<const char*> values;
};

void Require(const Api& api, const std::string& provider, const char* wheel) {
  if (api.has_provider(provider)) return;
  throw workbench::Error(TRITONSERVER_ERROR_UNAVAILABLE, "ONNX Runtime " + std::string(api.version()) +
                                                             " has no " + provider + ": it comes with " +
                                                             wheel + "; instances of KIND_CPU run without");
}

// The public backend's names of TensorRT's options, where they are not the library's own.
Settings TensorRtSettings(const workbench::Json& parameters) {
  Settings settings;
  for (const workbench::Json::Member& parameter : parameters.members()) {
    const std::string value = parameter.value.string();
    if (parameter.key == "precision_mode") {
      if (value == "FP16")
        settings.emplace_back("trt_fp16_enable", "1");
      else if (value == "BF16")
        settings.emplace_back("trt_bf16_enable", "1");
      else if (value == "INT8")
        settings.emplace_back("trt_int8_enable", "1");
      else if (value != "FP32")
        throw workbench::InvalidArgument("precision_mode is FP32, FP16, BF16 or INT8; got " + value);
    } else if (parameter.key == "max_workspace_size_bytes") {
      settings.emplace_back("trt_max_workspace_size", value);
    } else if (parameter.key.rfind("int8_", 0) == 0) {
      settings.emplace_back("trt_" + parameter.key, value);
    } else {
      settings.emplace_back(parameter.key, value);
    }
  }
  return settings;
}

// The four functions that the library has for each provider.
template <typename Options>
struct Provider {
  OrtStatus* (*create)(Options**);
  OrtStatus* (*update)(Options*, const char* const* keys, const char* const* values, size_t);
  OrtStatus* (*append)(OrtSessionOptions*, const Options*);
  void (*release)(Options*);
};

template <typename Options>
void Append(const Api& api, const Provider<Options>& provider, Settings settings, int32_t device,
            OrtSessionOptions* options) {
  settings.emplace_back("device_id", std::to_string(device));
  Options* created = nullptr;
  api.Check(provider.create(&created));
  const Owned<Options> owned(created, provider.release);
  const Texts texts(settings);
  api.Check(provider.update(created, texts.keys.data(), texts.values.data(), settings.size()));
  api.Check(provider.append(options, created));
}

void AppendTensorRt(const Api& api, Settings settings, int32_t device, OrtSessionOptions* options) {
  Require(api, "TensorrtExecutionProvider", "the wheel onnxruntime-gpu and TensorRT");
  const Provider<OrtTensorRtOptions> provider{api.create_tensorrt_options, api.update_tensorrt_options,
                                              api.append_tensorrt, api.release_tensorrt_options};
  Append(api, provider, std::move(settings), device, options);
}

void AppendCuda(const Api& api, Settings settings, int32_t device, OrtSessionOptions* options) {
  Require(api, "CUDAExecutionProvider", "the wheel onnxruntime-gpu");
  const Provider<OrtCudaOptions> provider{api.create_cuda_options, api.update_cuda_options, api.append_cuda,
                                          api.release_cuda_options};
  Append(api, provider, std::move(settings), device, options);
}

// The model's own parameters of that name, older than the accelerator's, are numbers.
void AddNumbered(const workbench::Model& model, const char* key, const std::vector<const char*>& names,
                 Settings* settings) {
  if (!model.has_parameter(key)) return;
  const int64_t number = model.parameter(key, 0);
  if (number < 0 || number >= static_cast<int64_t>(names.size())) {
    throw workbench::InvalidArgument(std::string("parameter '") + key + "' is 0 to " +
                                     std::to_string(names.size() - 1) + "; got " + std::to_string(number));
  }
  settings->emplace_back(key, names[static_cast<size_t>(number)]);
}

Settings CudaSettings(const workbench::Model& model, const workbench::Json& parameters) {
  Settings settings;
  AddNumbered(model, "cudnn_conv_algo_search", {"EXHAUSTIVE", "HEURISTIC", "DEFAULT"}, &settings);
  AddNumbered(model, "arena_extend_strategy", {"kNextPowerOfTwo", "kSameAsRequested"}, &settings);
  for (const char* key : {"gpu_mem_limit", "do_copy_in_default_stream"}) {
    if (model.has_parameter(key)) settings.emplace_back(key, model.parameter(key));
  }
  for (const workbench::Json::Member& one : parameters.members())
    settings.emplace_back(one.key, one.value.string());
  return settings;
}

}  // namespace

void AppendProviders(const Api& api, const workbench::Model& model, const Device& device,
                     OrtSessionOptions* options) {
  const workbench::Json accelerators = model.config()["optimization"]["execution_accelerators"];
  for (const workbench::Json& one : accelerators["cpu_execution_accelerator"].elements()) {
    throw workbench::Error(TRITONSERVER_ERROR_UNSUPPORTED,
                           "accelerator '" + one["name"].string() +
                               "' for the processor is not one of this backend's: leave it out");
  }
  workbench::Json cuda;
  for (const workbench::Json& one : accelerators["gpu_execution_accelerator"].elements()) {
    const std::string name = one["name"].string();
    if (name != "tensorrt" && name != "cuda") {
      throw workbench::InvalidArgument("a gpu_execution_accelerator is tensorrt or cuda; got '" + name + "'");
    }
    if (name == "cuda") cuda = one["parameters"];
    if (name == "tensorrt" && device.kind == TRITONSERVER_INSTANCEGROUPKIND_GPU) {
      AppendTensorRt(api, TensorRtSettings(one["parameters"]), device.id, options);
    }
  }
  if (device.kind == TRITONSERVER_INSTANCEGROUPKIND_GPU)
    AppendCuda(api, CudaSettings(model, cuda), device.id, options);
}

}  // namespace ort
