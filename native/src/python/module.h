// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the extension module share: the bridge, and each type's registration.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "engine/bridge.h"

namespace workbench {

namespace py = pybind11;

// The core's bridge. REQUIRES: the module was imported.
const Bridge& TheBridge();

// An engine as Python holds it; models and calls hold it too, so it outlives them.
struct PyEngine : std::enable_shared_from_this<PyEngine> {
  ~PyEngine();
  std::unique_ptr<EngineBridge> engine;
};

// Seconds as Python gives them; negative ones are none.
inline uint64_t Nanoseconds(double seconds) {
  return seconds <= 0 ? 0 : static_cast<uint64_t>(seconds * 1e9);
}

// The Python object of an engine that the core names; null: it is gone. REQUIRES: the GIL.
std::shared_ptr<PyEngine> FindEngine(const EngineBridge* engine);

// Of an engine: which requests it traces, and the traces that ended.
py::tuple TakeTraces(const PyEngine& self);
bool WaitForTraces(const PyEngine& self, double timeout_s);
void SetTrace(const PyEngine& self, const std::string& model, uint32_t level, uint64_t rate, int64_t count);
void ClearTrace(const PyEngine& self, const std::string& model);

void RegisterErrors(py::module_& module);
void RegisterEvents(py::module_& module);
void RegisterEngine(py::module_& module);
void RegisterModel(py::module_& module);
void RegisterCall(py::module_& module);
void RegisterLoad(py::module_& module);
void RegisterSimulation(py::module_& module);
void RegisterLog(py::module_& module);
void RegisterControlPlane(py::module_& module);

}  // namespace workbench
