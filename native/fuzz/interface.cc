// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/interface.h"

#include <cstring>

#include "engine/bridge.h"
#include "inference/data_type.h"

struct TRITONSERVER_Error {
  TRITONSERVER_Error_Code code;
  std::string message;
};

namespace workbench {

uint64_t ReadAll(const void* base, size_t byte_size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < byte_size; ++i) sum += static_cast<const unsigned char*>(base)[i];
  return sum;
}

void DeleteResponse::operator()(TRITONSERVER_InferenceResponse* response) const { delete response; }

ResponsePtr ResponseOf(const uint8_t* data, size_t size) {
  ResponsePtr response(new TRITONSERVER_InferenceResponse);
  const auto type = static_cast<TRITONSERVER_DataType>(data[0] % (TRITONSERVER_TYPE_BF16 + 1));
  std::vector<int64_t> shape(data[2] % 4, data[3]);
  response->outputs.push_back({"OUTPUT0", type, std::move(shape), {data + 5, data + size}});
  return response;
}

namespace {

TRITONSERVER_Error* Refuse(const std::string& message) {
  return new TRITONSERVER_Error{TRITONSERVER_ERROR_INVALID_ARG, message};
}

// Of a text that is handed over.
TRITONSERVER_Error* Look(const char* text) {
  (void)ReadAll(text, std::strlen(text));
  return nullptr;
}

}  // namespace
}  // namespace workbench

using workbench::Look;
using workbench::Refuse;

extern "C" {

TRITONSERVER_Error* TRITONSERVER_ErrorNew(TRITONSERVER_Error_Code code, const char* message) {
  return new TRITONSERVER_Error{code, message};
}
void TRITONSERVER_ErrorDelete(TRITONSERVER_Error* error) { delete error; }
TRITONSERVER_Error_Code TRITONSERVER_ErrorCode(TRITONSERVER_Error* error) { return error->code; }
const char* TRITONSERVER_ErrorMessage(TRITONSERVER_Error* error) { return error->message.c_str(); }

const char* TRITONSERVER_DataTypeString(TRITONSERVER_DataType type) {
  return NameOf(static_cast<workbench::DataType>(type));
}
TRITONSERVER_DataType TRITONSERVER_StringToDataType(const char* name) {
  return static_cast<TRITONSERVER_DataType>(workbench::DataTypeNamed(name));
}
uint32_t TRITONSERVER_DataTypeByteSize(TRITONSERVER_DataType type) {
  return static_cast<uint32_t>(ByteSizeOf(static_cast<workbench::DataType>(type)));
}

TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetId(TRITONSERVER_InferenceRequest*, const char* id) {
  return Look(id);
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestFlags(TRITONSERVER_InferenceRequest* request,
                                                       uint32_t* flags) {
  *flags = request->flags;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetFlags(TRITONSERVER_InferenceRequest* request,
                                                          uint32_t flags) {
  request->flags = flags;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetCorrelationId(TRITONSERVER_InferenceRequest*, uint64_t) {
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetCorrelationIdString(TRITONSERVER_InferenceRequest*,
                                                                        const char* id) {
  return Look(id);
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetPriorityUInt64(TRITONSERVER_InferenceRequest*, uint64_t) {
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetTimeoutMicroseconds(TRITONSERVER_InferenceRequest*,
                                                                        uint64_t) {
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetStringParameter(TRITONSERVER_InferenceRequest*,
                                                                    const char* name, const char* value) {
  Look(name);
  return Look(value);
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetIntParameter(TRITONSERVER_InferenceRequest*,
                                                                 const char* name, int64_t) {
  return Look(name);
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetBoolParameter(TRITONSERVER_InferenceRequest*,
                                                                  const char* name, bool) {
  return Look(name);
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestSetDoubleParameter(TRITONSERVER_InferenceRequest*,
                                                                    const char* name, double) {
  return Look(name);
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddInput(TRITONSERVER_InferenceRequest* request,
                                                          const char* name, TRITONSERVER_DataType,
                                                          const int64_t* shape, uint64_t dim_count) {
  (void)workbench::ReadAll(shape, dim_count * sizeof *shape);
  return request->inputs.emplace(name, 0).second ? nullptr : Refuse("twice the same");
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddRawInput(TRITONSERVER_InferenceRequest* request,
                                                             const char* name) {
  return request->inputs.emplace(name, 0).second ? nullptr : Refuse("twice the same");
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestAppendInputData(TRITONSERVER_InferenceRequest* request,
                                                                 const char* name, const void* base,
                                                                 size_t byte_size, TRITONSERVER_MemoryType,
                                                                 int64_t) {
  const auto input = request->inputs.find(name);
  // Raw bodies name no input.
  if (input == request->inputs.end() && name[0] != '\0') return Refuse("no such input");
  const uint64_t sum = workbench::ReadAll(base, byte_size);
  if (input != request->inputs.end()) input->second += sum;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceRequestAddRequestedOutput(TRITONSERVER_InferenceRequest*,
                                                                    const char* name) {
  return Look(name);
}

TRITONSERVER_Error* TRITONSERVER_InferenceResponseError(TRITONSERVER_InferenceResponse*) { return nullptr; }
TRITONSERVER_Error* TRITONSERVER_InferenceResponseId(TRITONSERVER_InferenceResponse*, const char** id) {
  *id = "7";
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceResponseModel(TRITONSERVER_InferenceResponse*, const char** name,
                                                        int64_t* version) {
  *name = "m";
  *version = 1;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceResponseParameterCount(TRITONSERVER_InferenceResponse*,
                                                                 uint32_t* count) {
  *count = 1;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceResponseParameter(TRITONSERVER_InferenceResponse*, uint32_t,
                                                            const char** name,
                                                            TRITONSERVER_ParameterType* type,
                                                            const void** value) {
  static constexpr int64_t kValue = 1;
  *name = "own";
  *type = TRITONSERVER_PARAMETER_INT;
  *value = &kValue;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceResponseOutputCount(TRITONSERVER_InferenceResponse* response,
                                                              uint32_t* count) {
  *count = static_cast<uint32_t>(response->outputs.size());
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceResponseOutput(TRITONSERVER_InferenceResponse* response,
                                                         uint32_t index, const char** name,
                                                         TRITONSERVER_DataType* type, const int64_t** shape,
                                                         uint64_t* dim_count, const void** base,
                                                         size_t* byte_size, TRITONSERVER_MemoryType* memory,
                                                         int64_t* memory_id, void** userp) {
  const auto& output = response->outputs[index];
  *name = output.name.c_str();
  *type = output.type;
  *shape = output.shape.data();
  *dim_count = output.shape.size();
  *base = output.bytes.empty() ? nullptr : output.bytes.data();
  *byte_size = output.bytes.size();
  *memory = TRITONSERVER_MEMORY_CPU;
  *memory_id = 0;
  *userp = nullptr;
  return nullptr;
}
TRITONSERVER_Error* TRITONSERVER_InferenceResponseOutputClassificationLabel(TRITONSERVER_InferenceResponse*,
                                                                            uint32_t, size_t class_index,
                                                                            const char** label) {
  *label = class_index % 2 == 0 ? "even" : nullptr;
  return nullptr;
}
// No region of these targets lies on a GPU, so nothing asks it.
const workbench::Bridge* TRITONWORKBENCH_Bridge(uint32_t) {
  static const workbench::Bridge none{};
  return &none;
}
}
