// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays as api.h declares them.
#include <cstring>

#include "api.h"
#include "workbench/backend.hpp"

namespace workbench::python_backend {
namespace {

using py::detail::npy_api;

py::object NewArray(const py::dtype& type, const int64_t* shape, size_t dim_count, const void* data,
                    py::handle base) {
  static_assert(sizeof(Py_intptr_t) == sizeof(int64_t));
  const auto& api = npy_api::get();
  const int flags = npy_api::NPY_ARRAY_C_CONTIGUOUS_ | npy_api::NPY_ARRAY_ALIGNED_;
  py::dtype descr = type;  // the call steals it
  PyObject* const array =
      api.PyArray_NewFromDescr_(api.PyArray_Type_, descr.release().ptr(), static_cast<int>(dim_count),
                                reinterpret_cast<const Py_intptr_t*>(shape), nullptr, const_cast<void*>(data),
                                data ? flags : 0, nullptr);
  if (array == nullptr) throw py::error_already_set();
  if (base) api.PyArray_SetBaseObject_(array, base.inc_ref().ptr());
  return py::reinterpret_steal<py::object>(array);
}

[[noreturn]] void ThrowUnfit(const std::string& name, const std::string& why) {
  throw InvalidArgument("tensor '" + name + "' " + why);
}

// Elements are filled in one by one: until then they are None's empty places, which numpy reads as None.
void FillTexts(const std::string& name, PyObject** elements, size_t count, const char* data,
               uint64_t byte_size) {
  uint64_t at = 0;
  for (size_t index = 0; index < count; ++index) {
    uint32_t length = 0;
    if (byte_size - at < sizeof(length)) ThrowUnfit(name, "ends before its last text");
    std::memcpy(&length, data + at, sizeof(length));
    at += sizeof(length);
    if (byte_size - at < length) ThrowUnfit(name, "has a text that is longer than the tensor");
    PyObject* const text = PyBytes_FromStringAndSize(data + at, length);
    if (text == nullptr) throw py::error_already_set();
    Py_XSETREF(elements[index], text);
    at += length;
  }
  if (at != byte_size) ThrowUnfit(name, "has bytes behind its last text");
}

void AppendText(const char* name, PyObject* element, std::string* texts) {
  const char* data = nullptr;
  Py_ssize_t length = 0;
  if (PyBytes_Check(element)) {
    data = PyBytes_AS_STRING(element);
    length = PyBytes_GET_SIZE(element);
  } else if (PyUnicode_Check(element)) {
    data = PyUnicode_AsUTF8AndSize(element, &length);
    if (data == nullptr) throw py::error_already_set();
  } else {
    throw InvalidArgument(std::string("tensor '") + name + "' holds " + Py_TYPE(element)->tp_name +
                          " in an object array: BYTES tensors hold bytes or str");
  }
  const auto prefix = static_cast<uint32_t>(length);
  texts->append(reinterpret_cast<const char*>(&prefix), sizeof(prefix));
  texts->append(data, static_cast<size_t>(length));
}

TRITONSERVER_DataType Number(char kind, Py_ssize_t byte_size) {
  const int step = byte_size == 1 ? 0 : byte_size == 2 ? 1 : byte_size == 4 ? 2 : byte_size == 8 ? 3 : -8;
  switch (kind) {
    case 'b':
      return TRITONSERVER_TYPE_BOOL;
    case 'u':
      return static_cast<TRITONSERVER_DataType>(TRITONSERVER_TYPE_UINT8 + step);
    case 'i':
      return static_cast<TRITONSERVER_DataType>(TRITONSERVER_TYPE_INT8 + step);
    case 'f':
      return byte_size <= 8 ? static_cast<TRITONSERVER_DataType>(TRITONSERVER_TYPE_FP16 + step - 1)
                            : TRITONSERVER_TYPE_INVALID;
    case 'O':
      return TRITONSERVER_TYPE_BYTES;
    default:
      return TRITONSERVER_TYPE_INVALID;
  }
}

TRITONSERVER_DataType TypeOf(const char* name, const py::dtype& dtype) {
  const TRITONSERVER_DataType type = Number(dtype.kind(), dtype.itemsize());
  if (type != TRITONSERVER_TYPE_INVALID) return type;
  if (dtype.equal(Api::Get().dtypes[TRITONSERVER_TYPE_BF16])) return TRITONSERVER_TYPE_BF16;
  throw InvalidArgument(std::string("tensor '") + name + "' is an array of " +
                        py::str(dtype).cast<std::string>() +
                        ", and no data type of the protocol has such elements");
}

}  // namespace

py::object ArrayOf(const std::string& name, TRITONSERVER_DataType type, const int64_t* shape,
                   size_t dim_count, const void* data, uint64_t byte_size, py::handle base) {
  const Api& api = Api::Get();
  size_t count = 1;
  for (size_t dim = 0; dim < dim_count; ++dim) count *= static_cast<size_t>(shape[dim]);
  if (type == TRITONSERVER_TYPE_BYTES) {
    py::object array = NewArray(api.dtypes[type], shape, dim_count, nullptr, {});
    FillTexts(name, reinterpret_cast<PyObject**>(py::detail::array_proxy(array.ptr())->data), count,
              static_cast<const char*>(data), byte_size);
    return array;
  }
  const py::dtype& dtype = api.dtypes[type];
  if (count * static_cast<size_t>(dtype.itemsize()) != byte_size) {
    ThrowUnfit(name,
               "has " + std::to_string(byte_size) + " bytes for " + std::to_string(count) + " elements");
  }
  if (base && byte_size > 0) return NewArray(dtype, shape, dim_count, data, base);
  py::object array = NewArray(dtype, shape, dim_count, nullptr, {});
  if (byte_size > 0) std::memcpy(py::detail::array_proxy(array.ptr())->data, data, byte_size);
  return array;
}

void Encode(const char* name, PyObject* array, EncodedArray* encoded) {
  const py::detail::PyArray_Proxy* proxy = py::detail::array_proxy(array);
  py::dtype dtype = py::reinterpret_borrow<py::dtype>(proxy->descr);
  const char kind = dtype.kind();
  const bool is_dense = (proxy->flags & npy_api::NPY_ARRAY_C_CONTIGUOUS_) != 0;
  if (!is_dense || dtype.byteorder() == '>' || kind == 'S' || kind == 'U' || kind == 'T') {
    encoded->dense = Api::Get().dense(py::handle(array));
    proxy = py::detail::array_proxy(encoded->dense.ptr());
    dtype = py::reinterpret_borrow<py::dtype>(proxy->descr);
  }
  encoded->type = TypeOf(name, dtype);
  encoded->shape = reinterpret_cast<const int64_t*>(proxy->dimensions);
  encoded->dim_count = static_cast<uint32_t>(proxy->nd);
  size_t count = 1;
  for (int dim = 0; dim < proxy->nd; ++dim) count *= static_cast<size_t>(proxy->dimensions[dim]);
  encoded->data = proxy->data;
  encoded->byte_size = count * static_cast<size_t>(dtype.itemsize());
  if (encoded->type != TRITONSERVER_TYPE_BYTES) return;
  auto* const elements = reinterpret_cast<PyObject**>(proxy->data);
  for (size_t index = 0; index < count; ++index) AppendText(name, elements[index], &encoded->texts);
  encoded->data = encoded->texts.data();
  encoded->byte_size = encoded->texts.size();
}

PyObject* NewTensor(const Api& api, PyObject* name, py::object array, TRITONSERVER_DataType type) {
  PyObject* const tensor = api.tensor->tp_alloc(api.tensor, 0);
  if (tensor == nullptr) throw py::error_already_set();
  Py_INCREF(name);
  api.tensor_slots.name.Init(tensor, name);
  api.tensor_slots.array.Init(tensor, array.release().ptr());
  const py::object& datatype = type == TRITONSERVER_TYPE_BF16 ? api.bf16_name : api.empty_text;
  api.tensor_slots.datatype.Init(tensor, datatype.inc_ref().ptr());
  return tensor;
}

}  // namespace workbench::python_backend
