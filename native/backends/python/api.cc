// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "api.h"

#include <structmember.h>

namespace workbench::python_backend {
namespace {

PyTypeObject* TypeAt(const py::tuple& types, size_t index) {
  return reinterpret_cast<PyTypeObject*>(py::object(types[index]).release().ptr());
}

std::array<py::dtype, 15> TypesByNumber(const py::object& bf16) {
  const char* const names[] = {"?",  "?",  "u1", "u2", "u4", "u8", "i1",
                               "i2", "i4", "i8", "f2", "f4", "f8", "O"};
  std::array<py::dtype, 15> types;
  for (size_t number = 0; number < 14; ++number) types[number] = py::dtype(names[number]);
  types[TRITONSERVER_TYPE_BF16] = py::dtype::from_args(bf16);
  return types;
}

}  // namespace

Slot::Slot(py::handle type, const char* name) {
  const py::object field = type.attr(name);
  if (Py_TYPE(field.ptr()) != &PyMemberDescr_Type) throw py::type_error(std::string(name) + " is no slot");
  offset_ = reinterpret_cast<PyMemberDescrObject*>(field.ptr())->d_member->offset;
}

Api::Api() {
  const py::module_ host = py::module_::import("workbench.python_backend.host");
  const py::tuple types = host.attr("TYPES");
  tensor = TypeAt(types, 0);
  request = TypeAt(types, 1);
  response = TypeAt(types, 2);
  error = TypeAt(types, 4);
  tensor_slots = {{types[0], "_name"}, {types[0], "_array"}, {types[0], "_datatype"}};
  request_slots = {{types[1], "_facts"},      {types[1], "_handle"},        {types[1], "_inputs"},
                   {types[1], "_model_name"}, {types[1], "_model_version"}, {types[1], "_release_flags"},
                   {types[1], "_sender"},     {types[1], "_services"}};
  response_slots = {{types[2], "_outputs"}, {types[2], "_error"}, {types[2], "_parameters"}};
  sender_slots = {{types[3], "_native"}};
  error_slots = {{types[4], "_code"}, {types[4], "_message"}};
  hosted_model = host.attr("HostedModel");
  describe = py::module_::import("workbench.python_backend.failures").attr("describe");
  await_answer = host.attr("await_answer");
  run_behind = host.attr("run_behind");
  enter = host.attr("enter");
  dense = host.attr("dense");
  empty_text = py::str("");
  release_all = py::int_(1);
  any_version = py::int_(-1);
  bf16_name = py::str("BF16");
  detach = py::str("detach");
  dtypes = TypesByNumber(host.attr("bf16")());
}

const Api& Api::Get() {
  static const Api* api = nullptr;
  if (api == nullptr) {
    const Api* const made = new Api();  // imports may let another thread make one meanwhile
    if (api == nullptr) api = made;
  }
  return *api;
}

}  // namespace workbench::python_backend
