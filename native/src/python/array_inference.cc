// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/array_inference.h"

#include <pybind11/numpy.h>

#include <array>
#include <utility>

#include "python/call.h"
#include "python/errors.h"

namespace workbench {
namespace {

using Numpy = py::detail::npy_api;

constexpr double kSignalCheckS = 0.05;

constexpr std::pair<DataType, int> kNumpyTypes[] = {
    {DataType::kBool, Numpy::NPY_BOOL_},     {DataType::kUint8, Numpy::NPY_UBYTE_},
    {DataType::kUint16, Numpy::NPY_USHORT_}, {DataType::kUint32, Numpy::NPY_UINT_},
    {DataType::kUint64, Numpy::NPY_ULONG_},  {DataType::kInt8, Numpy::NPY_BYTE_},
    {DataType::kInt16, Numpy::NPY_SHORT_},   {DataType::kInt32, Numpy::NPY_INT_},
    {DataType::kInt64, Numpy::NPY_LONG_},    {DataType::kFp16, 23},
    {DataType::kFp32, Numpy::NPY_FLOAT_},    {DataType::kFp64, Numpy::NPY_DOUBLE_},
};

DataType TypeOf(const py::array& array) {
  const py::dtype dtype = array.dtype();
  const bool is_swapped = dtype.byteorder() == '>';
  const int number = dtype.num();
  for (const auto& [type, numpy_type] : kNumpyTypes) {
    if (number == numpy_type && !is_swapped) return type;
  }
  return DataType::kInvalid;
}

// Null where arrays of the type are made the long way. Made once, and kept.
const py::dtype* DtypeOf(DataType type) {
  static const auto* const dtypes = [] {
    auto* const made = new std::array<const py::dtype*, 16>{};
    for (const auto& [known, numpy_type] : kNumpyTypes) {
      (*made)[static_cast<size_t>(known)] = new py::dtype(numpy_type);
    }
    return made;
  }();
  return (*dtypes)[static_cast<size_t>(type)];
}

bool AddInput(py::handle name, py::handle value, CallOptions* options) {
  if (Py_TYPE(value.ptr()) != reinterpret_cast<PyTypeObject*>(Numpy::get().PyArray_Type_)) return false;
  const auto array = py::reinterpret_borrow<py::array>(value);
  TensorInput input;
  input.type = TypeOf(array);
  if (input.type == DataType::kInvalid || (array.flags() & py::array::c_style) == 0) return false;
  input.name = name.cast<std::string>();
  input.shape.assign(array.shape(), array.shape() + array.ndim());
  input.base = array.data();
  input.byte_size = static_cast<size_t>(array.nbytes());
  options->inputs.push_back(std::move(input));
  return true;
}

void WaitFor(CallBridge* call) {
  while (!call->is_done()) {
    {
      py::gil_scoped_release release;
      call->Wait(Nanoseconds(kSignalCheckS));
    }
    if (call->is_done() || PyErr_CheckSignals() == 0) continue;
    call->Cancel();
    throw py::error_already_set();
  }
}

size_t ByteSizeOf(const TensorOutput& tensor, const py::dtype& dtype) {
  auto byte_size = static_cast<size_t>(dtype.itemsize());
  for (int64_t dim : tensor.shape) byte_size *= static_cast<size_t>(dim);
  return byte_size;
}

// Views of the response's own memory, which the arrays keep; None where they are no plain arrays alone.
py::object OutputsOf(const std::shared_ptr<ResponseBridge>& response) {
  if (!response->is_final() || !response->error().ok() || !response->parameters().empty()) return py::none();
  const std::vector<TensorOutput> tensors = response->outputs();
  for (const TensorOutput& tensor : tensors) {
    const py::dtype* const dtype = DtypeOf(tensor.type);
    if (dtype == nullptr || tensor.place.type == MemoryType::kGpu || tensor.byte_size == 0 ||
        tensor.byte_size != ByteSizeOf(tensor, *dtype))
      return py::none();
  }
  const py::capsule owner(new std::shared_ptr<ResponseBridge>(response),
                          [](void* held) { delete static_cast<std::shared_ptr<ResponseBridge>*>(held); });
  py::dict outputs;
  for (const TensorOutput& tensor : tensors) {
    outputs[py::str(tensor.name)] = py::array(*DtypeOf(tensor.type), tensor.shape, tensor.base, owner);
  }
  return std::move(outputs);
}

}  // namespace

py::object InferArrays(const std::shared_ptr<PyEngine>& self, const std::string& model, int64_t version,
                       const py::dict& inputs) {
  CallOptions options;
  options.model = model;
  options.version = version;
  options.inputs.reserve(inputs.size());
  auto call = std::make_shared<PyCall>();
  call->engine = self;
  call->buffers = std::make_shared<BorrowedBuffers>();
  for (auto [name, value] : inputs) {
    if (!AddInput(name, value, &options)) return py::none();
    call->buffers->Keep(value);
  }
  call->call = ValueOrThrow(self->engine->Submit(options));
  WaitFor(call->call.get());
  std::shared_ptr<ResponseBridge> response = call->call->Take(0);
  if (!response) return py::make_tuple(py::none(), py::none(), std::move(call));
  py::object outputs = OutputsOf(response);
  if (outputs.is_none()) return py::make_tuple(py::none(), std::move(response), std::move(call));
  return py::make_tuple(std::move(outputs), py::none(), call->call->serial());
}

}  // namespace workbench
