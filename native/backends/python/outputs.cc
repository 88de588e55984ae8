// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "outputs.h"

#include <cstring>

namespace workbench::python_backend {
namespace {

// "TYPE_FP32" of a configuration, whose BYTES are called STRING.
TRITONSERVER_DataType TypeOfConfig(const std::string& type) {
  constexpr size_t kPrefix = 5;
  if (type == "TYPE_STRING") return TRITONSERVER_TYPE_BYTES;
  return type.size() < kPrefix ? TRITONSERVER_TYPE_INVALID
                               : TRITONSERVER_StringToDataType(type.c_str() + kPrefix);
}

void WriteOutput(PyObject* tensor, const Api& api, const DeclaredOutputs& declared,
                 const AllocateOutput& allocate, std::string* unknown) {
  const char* const name = PyUnicode_AsUTF8(api.tensor_slots.name.Get(tensor));
  if (name == nullptr) throw py::error_already_set();
  EncodedArray encoded;
  Encode(name, api.tensor_slots.array.Get(tensor), &encoded);
  if (!declared.Check(name, encoded.type)) {
    *unknown = name;
    return;
  }
  void* const data = allocate(name, encoded.type, Shape(encoded.shape, encoded.dim_count), encoded.byte_size);
  if (data != nullptr && encoded.byte_size > 0) std::memcpy(data, encoded.data, encoded.byte_size);
}

}  // namespace

DeclaredOutputs::DeclaredOutputs(const Model& model) {
  for (const Json& output : model.config()["output"].elements()) {
    outputs_.emplace_back(output["name"].string(), TypeOfConfig(output["data_type"].string()));
  }
}

bool DeclaredOutputs::Check(const char* name, TRITONSERVER_DataType type) const {
  for (const auto& [declared, declared_type] : outputs_) {
    if (declared != name) continue;
    // Without a numpy type of that name BF16 is written as its bits.
    const bool is_bits = declared_type == TRITONSERVER_TYPE_BF16 && type == TRITONSERVER_TYPE_UINT16;
    if (declared_type == type || is_bits) return true;
    throw InvalidArgument("output '" + declared + "' is " + TRITONSERVER_DataTypeString(type) +
                          ", and the configuration declares " + TRITONSERVER_DataTypeString(declared_type) +
                          ": convert it with astype, or change the configuration");
  }
  return false;
}

std::string DeclaredOutputs::names() const {
  std::string names;
  for (const auto& [name, type] : outputs_) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

void WriteOutputs(PyObject* tensors, const DeclaredOutputs& declared, const AllocateOutput& allocate) {
  const Api& api = Api::Get();
  std::string unknown;
  const Py_ssize_t count = PyList_GET_SIZE(tensors);
  for (Py_ssize_t index = 0; index < count; ++index) {
    PyObject* const tensor = PyList_GET_ITEM(tensors, index);
    if (!PyObject_TypeCheck(tensor, api.tensor)) {
      throw InvalidArgument(std::string("an output is a Tensor, and ") + Py_TYPE(tensor)->tp_name +
                            " was given");
    }
    WriteOutput(tensor, api, declared, allocate, &unknown);
  }
  // More than the configuration tells does no harm, as long as what it tells is there.
  if (!unknown.empty() && static_cast<size_t>(count) <= declared.size()) {
    throw InvalidArgument("no output '" + unknown + "' is in the configuration; it has " + declared.names());
  }
}

}  // namespace workbench::python_backend
