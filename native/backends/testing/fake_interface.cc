// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "fake_interface.h"

#include <cstring>

namespace workbench {

std::string BytesOfTexts(const std::vector<std::string>& texts) {
  std::string bytes;
  for (const std::string& text : texts) bytes += BytesOf(std::vector<uint32_t>{uint32_t(text.size())}) + text;
  return bytes;
}

TRITONBACKEND_Request FloatRequest(const std::vector<float>& values) {
  TRITONBACKEND_Request request;
  request.inputs.push_back({"IN", TRITONSERVER_TYPE_FP32, {int64_t(values.size()), 1}, {BytesOf(values)}});
  return request;
}

std::string TakeError(TRITONSERVER_Error* error) {
  if (error == nullptr) return "";
  std::string text = std::string(TRITONSERVER_ErrorCodeString(error)) + ": " + error->text;
  delete error;
  return text;
}

namespace {

TRITONSERVER_Error* NotFound(const char* what) {
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_NOT_FOUND, what);
}

}  // namespace
}  // namespace workbench

using workbench::NotFound;

extern "C" {

// ---- Errors, messages, the log ----

TRITONSERVER_Error* TRITONSERVER_ErrorNew(TRITONSERVER_Error_Code code, const char* text) {
  return new TRITONSERVER_Error{code, text};
}
void TRITONSERVER_ErrorDelete(TRITONSERVER_Error* error) { delete error; }
TRITONSERVER_Error_Code TRITONSERVER_ErrorCode(TRITONSERVER_Error* error) { return error->code; }
const char* TRITONSERVER_ErrorMessage(TRITONSERVER_Error* error) { return error->text.c_str(); }
const char* TRITONSERVER_ErrorCodeString(TRITONSERVER_Error* error) {
  constexpr const char* kNames[] = {"UNKNOWN",     "INTERNAL",    "NOT_FOUND",      "INVALID_ARG",
                                    "UNAVAILABLE", "UNSUPPORTED", "ALREADY_EXISTS", "CANCELLED"};
  return kNames[error->code];
}
TRITONSERVER_Error* TRITONSERVER_MessageSerializeToJson(TRITONSERVER_Message* message, const char** base,
                                                        size_t* byte_size) {
  *base = message->text.data();
  *byte_size = message->text.size();
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_MessageDelete(TRITONSERVER_Message* message) {
  delete message;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_LogMessage(TRITONSERVER_LogLevel, const char*, const int, const char*) {
  return nullptr;
}
const char* TRITONSERVER_DataTypeString(TRITONSERVER_DataType type) {
  return type == TRITONSERVER_TYPE_FP32 ? "FP32" : type == TRITONSERVER_TYPE_BYTES ? "BYTES" : "another type";
}
TRITONSERVER_Error* TRITONBACKEND_ApiVersion(uint32_t* major, uint32_t* minor) {
  *major = TRITONBACKEND_API_VERSION_MAJOR;
  *minor = TRITONBACKEND_API_VERSION_MINOR;
  return nullptr;
}

// ---- Models and instances ----

TRITONSERVER_Error* TRITONBACKEND_ModelName(TRITONBACKEND_Model* model, const char** name) {
  *name = model->name.c_str();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelVersion(TRITONBACKEND_Model*, uint64_t* version) {
  *version = 1;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelRepository(TRITONBACKEND_Model* model, TRITONBACKEND_ArtifactType*,
                                                  const char** location) {
  *location = model->folder.c_str();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelConfig(TRITONBACKEND_Model* model, const uint32_t,
                                              TRITONSERVER_Message** message) {
  *message = new TRITONSERVER_Message{model->config};
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelState(TRITONBACKEND_Model* model, void** state) {
  *state = model->state;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelSetState(TRITONBACKEND_Model* model, void* state) {
  model->state = state;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceName(TRITONBACKEND_ModelInstance* instance,
                                                    const char** name) {
  *name = instance->name.c_str();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceKind(TRITONBACKEND_ModelInstance*,
                                                    TRITONSERVER_InstanceGroupKind* kind) {
  *kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceDeviceId(TRITONBACKEND_ModelInstance*, int32_t* device_id) {
  *device_id = 0;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceModel(TRITONBACKEND_ModelInstance* instance,
                                                     TRITONBACKEND_Model** model) {
  *model = instance->model;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceState(TRITONBACKEND_ModelInstance* instance, void** state) {
  *state = instance->state;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceSetState(TRITONBACKEND_ModelInstance* instance, void* state) {
  instance->state = state;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportStatistics(TRITONBACKEND_ModelInstance*,
                                                                TRITONBACKEND_Request* request,
                                                                const bool success, const uint64_t exec_start,
                                                                const uint64_t compute_start,
                                                                const uint64_t compute_end,
                                                                const uint64_t exec_end) {
  request->history.push_back(success ? "counted" : "counted as failure");
  request->times = {exec_start, compute_start, compute_end, exec_end};
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ModelInstanceReportBatchStatistics(TRITONBACKEND_ModelInstance* instance,
                                                                     const uint64_t batch_size,
                                                                     const uint64_t, const uint64_t,
                                                                     const uint64_t, const uint64_t) {
  instance->batch_sizes.push_back(batch_size);
  return nullptr;
}

// ---- Requests ----

TRITONSERVER_Error* TRITONBACKEND_RequestInputCount(TRITONBACKEND_Request* request, uint32_t* count) {
  *count = static_cast<uint32_t>(request->inputs.size());
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestInput(TRITONBACKEND_Request* request, const char* name,
                                               TRITONBACKEND_Input** found) {
  for (TRITONBACKEND_Input& input : request->inputs) {
    if (input.name == name) return *found = &input, nullptr;
  }
  return NotFound("no such input");
}
TRITONSERVER_Error* TRITONBACKEND_RequestInputByIndex(TRITONBACKEND_Request* request, const uint32_t index,
                                                      TRITONBACKEND_Input** found) {
  *found = &request->inputs.at(index);
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestOutputCount(TRITONBACKEND_Request* request, uint32_t* count) {
  *count = static_cast<uint32_t>(request->wanted.size());
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestOutputName(TRITONBACKEND_Request* request, const uint32_t index,
                                                    const char** name) {
  *name = request->wanted.at(index).c_str();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestRelease(TRITONBACKEND_Request* request, uint32_t flags) {
  const bool is_rescheduled = flags == TRITONSERVER_REQUEST_RELEASE_RESCHEDULE;
  if (is_rescheduled && !request->is_iterative) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INVALID_ARG, "not iterative");
  }
  request->history.push_back(is_rescheduled ? "rescheduled" : "released");
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_RequestCorrelationIdString(TRITONBACKEND_Request*, const char** id) {
  *id = "text";
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_StateNew(TRITONBACKEND_State** state, TRITONBACKEND_Request* request,
                                           const char* name, const TRITONSERVER_DataType,
                                           const int64_t* shape, const uint32_t dims_count) {
  request->states.push_back({name, {shape, shape + dims_count}, "", false});
  *state = &request->states.back();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_StateBuffer(TRITONBACKEND_State* state, void** buffer,
                                              const uint64_t byte_size, TRITONSERVER_MemoryType*, int64_t*) {
  state->bytes.resize(byte_size);
  *buffer = state->bytes.data();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_StateUpdate(TRITONBACKEND_State* state) {
  state->is_updated = true;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_InputProperties(TRITONBACKEND_Input* input, const char** name,
                                                  TRITONSERVER_DataType* type, const int64_t** shape,
                                                  uint32_t* dims_count, uint64_t* byte_size,
                                                  uint32_t* buffer_count) {
  *name = input->name.c_str();
  *type = input->type;
  *shape = input->shape.data();
  *dims_count = static_cast<uint32_t>(input->shape.size());
  *byte_size = 0;
  for (const std::string& buffer : input->buffers) *byte_size += buffer.size() - input->skipped;
  *buffer_count = static_cast<uint32_t>(input->buffers.size());
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_InputBuffer(TRITONBACKEND_Input* input, const uint32_t index,
                                              const void** buffer, uint64_t* byte_size,
                                              TRITONSERVER_MemoryType* memory_type, int64_t*) {
  *buffer = input->buffers.at(index).data() + input->skipped;
  *byte_size = input->buffers.at(index).size() - input->skipped;
  *memory_type = input->memory_type;
  return nullptr;
}

// ---- Responses ----

TRITONSERVER_Error* TRITONBACKEND_ResponseSetStringParameter(TRITONBACKEND_Response*, const char*,
                                                             const char*) {
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseNew(TRITONBACKEND_Response** response,
                                              TRITONBACKEND_Request* request) {
  *response = new TRITONBACKEND_Response{request, {}};
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseOutput(TRITONBACKEND_Response* response,
                                                 TRITONBACKEND_Output** output, const char* name,
                                                 const TRITONSERVER_DataType type, const int64_t* shape,
                                                 const uint32_t dims_count) {
  response->outputs.push_back({name, type, {shape, shape + dims_count}, ""});
  *output = &response->outputs.back();
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_OutputBuffer(TRITONBACKEND_Output* output, void** buffer,
                                               const uint64_t byte_size, TRITONSERVER_MemoryType* memory_type,
                                               int64_t*) {
  output->bytes.resize(byte_size);
  *buffer = output->bytes.data();
  *memory_type = TRITONSERVER_MEMORY_CPU;
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseSend(TRITONBACKEND_Response* response, const uint32_t flags,
                                               TRITONSERVER_Error* error) {
  std::unique_ptr<TRITONBACKEND_Response> owned(response);
  std::string text =
      error == nullptr ? "" : std::string(TRITONSERVER_ErrorCodeString(error)) + ": " + error->text;
  response->request->answers.push_back({std::move(response->outputs), flags != 0, std::move(text)});
  response->request->history.push_back("sent");
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseFactoryNew(TRITONBACKEND_ResponseFactory** factory,
                                                     TRITONBACKEND_Request* request) {
  *factory = reinterpret_cast<TRITONBACKEND_ResponseFactory*>(request);
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseFactorySendFlags(TRITONBACKEND_ResponseFactory* factory,
                                                           const uint32_t flags) {
  auto* request = reinterpret_cast<TRITONBACKEND_Request*>(factory);
  request->answers.push_back({{}, flags != 0, ""});
  request->history.push_back("sent");
  return nullptr;
}
TRITONSERVER_Error* TRITONBACKEND_ResponseFactoryDelete(TRITONBACKEND_ResponseFactory*) { return nullptr; }

}  // extern "C"
