// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/load_target.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "load/null_target.h"
#include "python/call.h"
#include "python/errors.h"

namespace workbench {
namespace {

using Plan = py::array_t<PlannedRequest, py::array::c_style>;
using Parameters = std::vector<std::pair<std::string, ParameterValue>>;

// Copies of the inputs, which requests may borrow for longer than Python keeps its arrays. Owned by the run's
// state.
using InputBytes = std::vector<std::vector<char>>;

py::capsule Handover(TargetHandover handover) {
  const auto destroy = [](PyObject* capsule) {
    delete static_cast<TargetHandover*>(PyCapsule_GetPointer(capsule, kTargetCapsule));
  };
  return py::capsule(new TargetHandover(std::move(handover)), kTargetCapsule, destroy);
}

void OwnInputs(CallOptions* sample, InputBytes* bytes) {
  for (TensorInput& input : sample->inputs) {
    const auto* const begin = static_cast<const char*>(input.base);
    input.base = bytes->emplace_back(begin, begin + input.byte_size).data();
  }
}

// (model, version, inputs, priority, timeout in microseconds, parameters), whose inputs are copied.
CallOptions SampleOf(const py::tuple& fields, InputBytes* bytes) {
  CallOptions sample;
  sample.model = fields[0].cast<std::string>();
  sample.version = fields[1].cast<int64_t>();
  BorrowedBuffers buffers;
  AddInputs(fields[2], &sample, &buffers);
  OwnInputs(&sample, bytes);
  sample.priority = fields[3].cast<uint64_t>();
  sample.timeout_us = fields[4].cast<uint64_t>();
  sample.parameters = fields[5].cast<Parameters>();
  return sample;
}

py::capsule EngineTarget(const std::shared_ptr<PyEngine>& engine, const std::vector<py::tuple>& samples,
                         const Plan& plan) {
  auto bytes = std::make_shared<InputBytes>();
  std::vector<CallOptions> options;
  options.reserve(samples.size());
  for (const py::tuple& sample : samples) options.push_back(SampleOf(sample, bytes.get()));
  std::vector<PlannedRequest> steps(plan.data(), plan.data() + plan.size());
  TargetHandover handover;
  handover.kept = engine;
  handover.borrowed = std::move(bytes);
  handover.target = ValueOrThrow(engine->engine->NewTarget(std::move(options), std::move(steps)));
  return Handover(std::move(handover));
}

py::capsule NewNullTarget() {
  TargetHandover handover;
  handover.target = std::make_unique<NullTarget>();
  return Handover(std::move(handover));
}

}  // namespace

TargetHandover TakeTarget(const py::capsule& capsule) {
  auto* const handover = static_cast<TargetHandover*>(PyCapsule_GetPointer(capsule.ptr(), kTargetCapsule));
  if (handover == nullptr) throw py::error_already_set();
  if (!handover->target) ThrowIfError(InvalidArgumentError("the target is driven already: make another"));
  return std::move(*handover);
}

void RegisterLoadTargets(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(PlannedRequest, sequence, sample, flags);
  module.def("engine_target", &EngineTarget, "Models of an engine, to be driven with samples.",
             py::arg("engine"), py::kw_only(), py::arg("samples"), py::arg("plan") = Plan());
  module.def("null_target", &NewNullTarget,
             "Answers at once: what a run on it takes is the generator's own.");
}

}  // namespace workbench
