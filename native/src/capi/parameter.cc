// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/parameter.h"

#include "capi/error.h"

using workbench::FromHandle;
using workbench::Parameter;
using workbench::ParameterType;
using workbench::ToHandle;

extern "C" {

TRITONSERVER_Parameter* TRITONSERVER_ParameterNew(const char* name, const TRITONSERVER_ParameterType type,
                                                  const void* value) {
  auto* const parameter = new Parameter();
  parameter->name = name;
  parameter->type = static_cast<ParameterType>(type);
  switch (type) {
    case TRITONSERVER_PARAMETER_STRING:
      parameter->text = static_cast<const char*>(value);
      break;
    case TRITONSERVER_PARAMETER_INT:
      parameter->integer = *static_cast<const int64_t*>(value);
      break;
    case TRITONSERVER_PARAMETER_BOOL:
      parameter->is_true = *static_cast<const bool*>(value);
      break;
    case TRITONSERVER_PARAMETER_DOUBLE:
      parameter->real = *static_cast<const double*>(value);
      break;
    default:
      delete parameter;
      return nullptr;
  }
  return ToHandle<TRITONSERVER_Parameter>(parameter);
}

TRITONSERVER_Parameter* TRITONSERVER_ParameterBytesNew(const char* name, const void* byte_ptr,
                                                       const uint64_t size) {
  auto* const parameter = new Parameter();
  parameter->name = name;
  parameter->type = ParameterType::kBytes;
  parameter->bytes = {static_cast<const char*>(byte_ptr), size};
  return ToHandle<TRITONSERVER_Parameter>(parameter);
}

void TRITONSERVER_ParameterDelete(TRITONSERVER_Parameter* parameter) {
  delete FromHandle<Parameter>(parameter);
}

}  // extern "C"
