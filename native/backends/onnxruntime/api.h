// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Api: the shared library of ONNX Runtime. Its C interface is a table of functions whose places never change
// within a version of the interface, so what the backend uses is declared here by place, and no header of the
// library is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ort {

// The library's own objects.
struct OrtStatus;
struct OrtEnv;
struct OrtSession;
struct OrtSessionOptions;
struct OrtRunOptions;
struct OrtValue;
struct OrtMemoryInfo;
struct OrtAllocator;
struct OrtTypeInfo;
struct OrtTensorInfo;
struct OrtCudaOptions;
struct OrtTensorRtOptions;
struct OrtThreadingOptions;

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

class Api {
 public:
  // Version of the table that is asked for: any library since 1.16 has it.
  static constexpr uint32_t kVersion = 16;

  // The library at `path`, opened by the first call and kept: there is one in a process. Throws UNAVAILABLE
  // where it can not be opened, UNSUPPORTED where it is too old.
  static const Api& Open(const std::string& path);

  // Throws what a function answered, INTERNAL as the real server's backend does, unless it succeeded.
  void Check(OrtStatus* status) const;
  const char* version() const { return version_; }
  // "CPUExecutionProvider", "CUDAExecutionProvider", ...
  bool has_provider(const std::string& name) const;

  using LogFunction = void (*)(void* parameter, int severity, const char* category, const char* id,
                               const char* place, const char* message);

  // By their places. Those that return void are `release` functions, which a null pointer stands for nothing
  // in.
  int (*get_error_code)(const OrtStatus*);
  const char* (*get_error_message)(const OrtStatus*);
  void (*release_status)(OrtStatus*);

  OrtStatus* (*create_env)(LogFunction, void* parameter, int level, const char* id, OrtEnv**);
  OrtStatus* (*create_env_with_pools)(LogFunction, void* parameter, int level, const char* id,
                                      const OrtThreadingOptions*, OrtEnv**);
  OrtStatus* (*create_threading_options)(OrtThreadingOptions**);
  void (*release_threading_options)(OrtThreadingOptions*);
  OrtStatus* (*set_global_intra_op_threads)(OrtThreadingOptions*, int);
  OrtStatus* (*set_global_inter_op_threads)(OrtThreadingOptions*, int);
  OrtStatus* (*create_session)(const OrtEnv*, const char* path, const OrtSessionOptions*, OrtSession**);
  void (*release_session)(OrtSession*);
  OrtStatus* (*run)(OrtSession*, const OrtRunOptions*, const char* const* input_names,
                    const OrtValue* const* inputs, size_t input_count, const char* const* output_names,
                    size_t output_count, OrtValue** outputs);

  OrtStatus* (*create_session_options)(OrtSessionOptions**);
  void (*release_session_options)(OrtSessionOptions*);
  OrtStatus* (*set_execution_mode)(OrtSessionOptions*, int);
  OrtStatus* (*enable_mem_pattern)(OrtSessionOptions*);
  OrtStatus* (*disable_mem_pattern)(OrtSessionOptions*);
  OrtStatus* (*enable_cpu_mem_arena)(OrtSessionOptions*);
  OrtStatus* (*disable_cpu_mem_arena)(OrtSessionOptions*);
  OrtStatus* (*set_optimization_level)(OrtSessionOptions*, int);
  OrtStatus* (*set_intra_op_threads)(OrtSessionOptions*, int);
  OrtStatus* (*set_inter_op_threads)(OrtSessionOptions*, int);
  OrtStatus* (*disable_per_session_threads)(OrtSessionOptions*);
  OrtStatus* (*register_custom_ops)(OrtSessionOptions*, const char* path, void** library);
  OrtStatus* (*add_session_entry)(OrtSessionOptions*, const char* key, const char* value);

  OrtStatus* (*create_run_options)(OrtRunOptions**);
  void (*release_run_options)(OrtRunOptions*);
  OrtStatus* (*add_run_entry)(OrtRunOptions*, const char* key, const char* value);

  OrtStatus* (*input_count)(const OrtSession*, size_t*);
  OrtStatus* (*output_count)(const OrtSession*, size_t*);
  OrtStatus* (*input_type)(const OrtSession*, size_t, OrtTypeInfo**);
  OrtStatus* (*output_type)(const OrtSession*, size_t, OrtTypeInfo**);
  OrtStatus* (*input_name)(const OrtSession*, size_t, OrtAllocator*, char**);
  OrtStatus* (*output_name)(const OrtSession*, size_t, OrtAllocator*, char**);
  OrtStatus* (*tensor_info)(const OrtTypeInfo*, const OrtTensorInfo**);  // null: it is no tensor
  void (*release_type)(OrtTypeInfo*);
  OrtStatus* (*element_type)(const OrtTensorInfo*, int*);
  OrtStatus* (*dim_count)(const OrtTensorInfo*, size_t*);
  OrtStatus* (*dims)(const OrtTensorInfo*, int64_t*, size_t);
  OrtStatus* (*element_count)(const OrtTensorInfo*, size_t*);
  OrtStatus* (*value_info)(const OrtValue*, OrtTensorInfo**);
  void (*release_info)(OrtTensorInfo*);

  OrtStatus* (*create_tensor)(OrtAllocator*, const int64_t* dims, size_t, int type, OrtValue**);
  OrtStatus* (*wrap_tensor)(const OrtMemoryInfo*, void* data, size_t byte_size, const int64_t* dims, size_t,
                            int type, OrtValue**);
  OrtStatus* (*tensor_data)(OrtValue*, void**);
  OrtStatus* (*is_tensor)(const OrtValue*, int*);
  // Where the bytes of one text go, which may have zeros among them.
  OrtStatus* (*string_buffer)(OrtValue*, size_t index, size_t byte_size, char** bytes);
  OrtStatus* (*strings_byte_size)(const OrtValue*, size_t*);
  OrtStatus* (*strings)(const OrtValue*, void* bytes, size_t byte_size, size_t* offsets, size_t);
  void (*release_value)(OrtValue*);

  OrtStatus* (*create_cpu_memory)(int allocator_type, int memory_type, OrtMemoryInfo**);
  void (*release_memory)(OrtMemoryInfo*);
  OrtStatus* (*default_allocator)(OrtAllocator**);
  OrtStatus* (*allocator_free)(OrtAllocator*, void*);

  OrtStatus* (*create_cuda_options)(OrtCudaOptions**);
  OrtStatus* (*update_cuda_options)(OrtCudaOptions*, const char* const* keys, const char* const* values,
                                    size_t);
  OrtStatus* (*append_cuda)(OrtSessionOptions*, const OrtCudaOptions*);
  void (*release_cuda_options)(OrtCudaOptions*);
  OrtStatus* (*create_tensorrt_options)(OrtTensorRtOptions**);
  OrtStatus* (*update_tensorrt_options)(OrtTensorRtOptions*, const char* const* keys,
                                        const char* const* values, size_t);
  OrtStatus* (*append_tensorrt)(OrtSessionOptions*, const OrtTensorRtOptions*);
  void (*release_tensorrt_options)(OrtTensorRtOptions*);

 private:
  explicit Api(const std::string& path);
  void BindSessions();
  void BindTensors();
  void BindProviders();
  template <typename Function>
  void Bind(Function** function, size_t place) {
    *function = reinterpret_cast<Function*>(table_[place]);
  }

  void* const* table_ = nullptr;
  const char* version_ = "";
  OrtStatus* (*available_providers_)(char*** names, int* count) = nullptr;
  OrtStatus* (*release_providers_)(char** names, int count) = nullptr;
};

}  // namespace ort
