// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "api.h"

#include <dlfcn.h>

#include <cstdlib>
#include <workbench/backend.hpp>

namespace ort {
namespace {

struct Base {
  void* const* (*get_api)(uint32_t version);
  const char* (*get_version)();
};

const Base* OpenLibrary(const std::string& path) {
  // Else some releases write a database into the user's folders.
  setenv("ORT_DISABLE_TELEMETRY", "1", 0);
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw workbench::Error(TRITONSERVER_ERROR_UNAVAILABLE,
                           std::string("ONNX Runtime can not be opened: ") + dlerror() +
                               "; pip install 'workbench-serving[onnxruntime]', or name its shared object in "
                               "the setting 'library' of backend 'onnxruntime'");
  }
  // By name, not by link: the symbol bears the library's version.
  auto* const get_base = reinterpret_cast<const Base* (*)()>(dlsym(library, "OrtGetApiBase"));
  if (get_base == nullptr)
    throw workbench::Unsupported(path + " is no ONNX Runtime: it has no OrtGetApiBase");
  return get_base();
}

}  // namespace

const Api& Api::Open(const std::string& path) {
  static const Api api(path);
  return api;
}

Api::Api(const std::string& path) {
  const Base* const base = OpenLibrary(path);
  version_ = base->get_version();
  table_ = base->get_api(kVersion);
  if (table_ == nullptr) {
    throw workbench::Unsupported(path + " is ONNX Runtime " + version_ +
                                 ", which is too old: 1.20 or newer is");
  }
  Bind(&get_error_code, 1);
  Bind(&get_error_message, 2);
  Bind(&release_status, 93);
  Bind(&create_env, 4);
  Bind(&create_env_with_pools, 151);
  Bind(&create_threading_options, 121);
  Bind(&release_threading_options, 122);
  Bind(&set_global_intra_op_threads, 147);
  Bind(&set_global_inter_op_threads, 148);
  Bind(&create_session, 7);
  Bind(&release_session, 95);
  Bind(&run, 9);
  BindSessions();
  BindTensors();
  BindProviders();
}

void Api::BindSessions() {
  Bind(&create_session_options, 10);
  Bind(&release_session_options, 100);
  Bind(&set_execution_mode, 13);
  Bind(&enable_mem_pattern, 16);
  Bind(&disable_mem_pattern, 17);
  Bind(&enable_cpu_mem_arena, 18);
  Bind(&disable_cpu_mem_arena, 19);
  Bind(&set_optimization_level, 23);
  Bind(&set_intra_op_threads, 24);
  Bind(&set_inter_op_threads, 25);
  Bind(&disable_per_session_threads, 120);
  Bind(&register_custom_ops, 29);
  Bind(&add_session_entry, 130);
  Bind(&create_run_options, 39);
  Bind(&release_run_options, 97);
  Bind(&add_run_entry, 165);
  Bind(&input_count, 30);
  Bind(&output_count, 31);
  Bind(&input_type, 33);
  Bind(&output_type, 34);
  Bind(&input_name, 36);
  Bind(&output_name, 37);
}

void Api::BindTensors() {
  Bind(&tensor_info, 55);
  Bind(&release_type, 98);
  Bind(&element_type, 60);
  Bind(&dim_count, 61);
  Bind(&dims, 62);
  Bind(&element_count, 64);
  Bind(&value_info, 65);
  Bind(&release_info, 99);
  Bind(&create_tensor, 48);
  Bind(&wrap_tensor, 49);
  Bind(&is_tensor, 50);
  Bind(&tensor_data, 51);
  Bind(&string_buffer, 252);
  Bind(&strings_byte_size, 53);
  Bind(&strings, 54);
  Bind(&release_value, 96);
  Bind(&create_cpu_memory, 69);
  Bind(&release_memory, 94);
  Bind(&default_allocator, 78);
  Bind(&allocator_free, 76);
}

void Api::BindProviders() {
  Bind(&available_providers_, 125);
  Bind(&release_providers_, 126);
  Bind(&create_cuda_options, 205);
  Bind(&update_cuda_options, 206);
  Bind(&append_cuda, 204);
  Bind(&release_cuda_options, 208);
  Bind(&create_tensorrt_options, 171);
  Bind(&update_tensorrt_options, 172);
  Bind(&append_tensorrt, 170);
  Bind(&release_tensorrt_options, 174);
}

void Api::Check(OrtStatus* status) const {
  if (status == nullptr) return;
  const std::string text =
      "onnxruntime error " + std::to_string(get_error_code(status)) + ": " + get_error_message(status);
  release_status(status);
  throw workbench::Internal(text);
}

bool Api::has_provider(const std::string& name) const {
  char** names = nullptr;
  int count = 0;
  Check(available_providers_(&names, &count));
  bool is_there = false;
  for (int i = 0; i < count; ++i) is_there = is_there || name == names[i];
  Check(release_providers_(names, count));
  return is_there;
}

}  // namespace ort
