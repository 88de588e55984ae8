// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "requests.h"

#include <cstring>

#include "parameters.h"

namespace workbench::python_backend {
namespace {

// Below this a copy costs less than a view does.
constexpr uint64_t kSmall = 4096;

void ForbidWriting(const py::object& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

// In pieces, or small, or to be written, or on a GPU: its own memory.
py::object CopyOf(const Input& input, bool is_on_host, DeviceReader* reader) {
  if (is_on_host && input.buffer_count() == 1) {
    const Buffer piece = input.buffer(0);
    return ArrayOf(input.name(), input.data_type(), input.shape().data(), input.shape().size(), piece.data,
                   piece.byte_size, {});
  }
  std::string whole(input.byte_size(), '\0');
  reader->Copy(input, whole.data());
  return ArrayOf(input.name(), input.data_type(), input.shape().data(), input.shape().size(), whole.data(),
                 whole.size(), {});
}

py::object ReadInput(const Input& input, const RequestOptions& options, DeviceReader* reader,
                     RequestObject* made, py::object* base) {
  const bool is_on_host = DeviceReader::IsOnHost(input);
  const bool is_view = is_on_host && options.has_views && input.buffer_count() == 1 &&
                       input.byte_size() > kSmall && input.data_type() != TRITONSERVER_TYPE_BYTES;
  if (!is_view) {
    if (is_on_host) made->copied_byte_size += input.byte_size();
    py::object array = CopyOf(input, is_on_host, reader);
    if (!options.is_writable) ForbidWriting(array);
    return array;
  }
  if (made->lease == nullptr) made->lease = Lease::New(base);
  const Buffer piece = input.buffer(0);
  return ArrayOf(input.name(), input.data_type(), input.shape().data(), input.shape().size(), piece.data,
                 piece.byte_size, *base);
}

PyObject* ReadInputs(const Request& request, const RequestOptions& options, DeviceReader* reader,
                     RequestObject* made) {
  const Api& api = Api::Get();
  const uint32_t count = request.input_count();
  auto inputs = py::reinterpret_steal<py::object>(PyList_New(count));
  if (!inputs) throw py::error_already_set();
  py::object base;
  for (uint32_t index = 0; index < count; ++index) {
    const Input input = request.input(index);
    py::object array = ReadInput(input, options, reader, made, &base);
    const auto name = py::reinterpret_steal<py::object>(PyUnicode_InternFromString(input.name()));
    PyList_SET_ITEM(inputs.ptr(), index, NewTensor(api, name.ptr(), std::move(array), input.data_type()));
  }
  return inputs.release().ptr();
}

py::object CorrelationOf(TRITONBACKEND_Request* request) {
  uint64_t number = 0;
  TRITONSERVER_Error* const is_text = TRITONBACKEND_RequestCorrelationId(request, &number);
  if (is_text == nullptr) return py::int_(number);
  TRITONSERVER_ErrorDelete(is_text);
  const char* text = nullptr;
  Check(TRITONBACKEND_RequestCorrelationIdString(request, &text));
  return py::str(text);
}

py::dict ParametersOf(TRITONBACKEND_Request* request) {
  py::dict parameters;
  uint32_t count = 0;
  Check(TRITONBACKEND_RequestParameterCount(request, &count));
  for (uint32_t index = 0; index < count; ++index) {
    const char* key = nullptr;
    TRITONSERVER_ParameterType type = TRITONSERVER_PARAMETER_STRING;
    const void* value = nullptr;
    Check(TRITONBACKEND_RequestParameter(request, index, &key, &type, &value));
    parameters[key] = ParameterOf(type, value);
  }
  return parameters;
}

py::list WantedOutputs(TRITONBACKEND_Request* request) {
  py::list names;
  uint32_t count = 0;
  Check(TRITONBACKEND_RequestOutputCount(request, &count));
  for (uint32_t index = 0; index < count; ++index) {
    const char* name = nullptr;
    Check(TRITONBACKEND_RequestOutputName(request, index, &name));
    names.append(py::str(name));
  }
  return names;
}

// A backend's request is the server's: the same object under two names.
uint64_t PriorityOf(TRITONBACKEND_Request* request) {
  uint64_t priority = 0;
  Check(TRITONSERVER_InferenceRequestPriorityUInt64(reinterpret_cast<TRITONSERVER_InferenceRequest*>(request),
                                                    &priority));
  return priority;
}

}  // namespace

RequestObject NewRequest(Request& request, const RequestOptions& options, DeviceReader* reader) {
  const Api& api = Api::Get();
  RequestObject made;
  made.object = py::reinterpret_steal<py::object>(api.request->tp_alloc(api.request, 0));
  if (!made.object) throw py::error_already_set();
  PyObject* const object = made.object.ptr();
  const auto& slots = api.request_slots;
  slots.facts.Init(object, py::none().release().ptr());
  slots.handle.Init(object, PyLong_FromVoidPtr(request.handle()));
  slots.model_name.Init(object, options.model_name.inc_ref().ptr());
  slots.model_version.Init(object, api.any_version.inc_ref().ptr());
  slots.release_flags.Init(object, api.release_all.inc_ref().ptr());
  slots.sender.Init(object, py::none().release().ptr());
  slots.services.Init(object, options.services.inc_ref().ptr());
  try {
    slots.inputs.Init(object, ReadInputs(request, options, reader, &made));
  } catch (...) {
    if (made.lease != nullptr) Lease::EndIfUnused(made.lease);
    throw;
  }
  return made;
}

py::tuple DescribeRequest(TRITONBACKEND_Request* request) {
  const char* id = nullptr;
  uint32_t flags = 0;
  uint64_t timeout = 0;
  TRITONSERVER_InferenceTrace* trace = nullptr;
  Check(TRITONBACKEND_RequestId(request, &id));
  Check(TRITONBACKEND_RequestFlags(request, &flags));
  Check(TRITONBACKEND_InferenceRequestTimeoutMicroseconds(request, &timeout));
  Check(TRITONBACKEND_RequestTrace(request, &trace));
  return py::make_tuple(py::str(id == nullptr ? "" : id), CorrelationOf(request), flags, PriorityOf(request),
                        timeout, ParametersOf(request), WantedOutputs(request),
                        reinterpret_cast<uintptr_t>(trace));
}

}  // namespace workbench::python_backend
