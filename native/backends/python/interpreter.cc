// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "interpreter.h"

#include "api.h"

namespace workbench::python_backend {

void ThreadState::Keep() {
  // Never released: from now on every other Gil of this thread finds a state that is there.
  static_cast<void>(PyGILState_Ensure());
  state_ = PyThreadState_Get();
  static_cast<void>(PyEval_SaveThread());
}

void ThreadState::Drop() {
  if (state_ == nullptr) return;
  PyThreadState_Clear(state_);
  PyThreadState_Delete(state_);
  state_ = nullptr;
}

Error ErrorOf(py::error_already_set& raised, const std::string& stage) {
  try {
    const py::object value = raised.value();
    if (raised.trace()) PyException_SetTraceback(value.ptr(), raised.trace().ptr());
    // A model's exceptions hold its frames, and these the requests: nothing of them may outlive the
    // execution.
    const py::tuple told = Api::Get().describe(value, stage);
    py::setattr(value, "__traceback__", py::none());
    return Error(static_cast<TRITONSERVER_Error_Code>(told[0].cast<int>()), told[1].cast<std::string>());
  } catch (const std::exception& failure) {
    return Internal(stage + ": " + raised.what() + " (and describing it failed: " + failure.what() + ")");
  }
}

}  // namespace workbench::python_backend
