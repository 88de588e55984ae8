// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "python/array.h"
#include "python/errors.h"
#include "python/load_target.h"
#include "python/module.h"

namespace workbench {
namespace {

// A run as Python holds it.
struct PyDrive {
  std::shared_ptr<const void> kept;  // what must not go before the run, such as the engine
  std::unique_ptr<LoadRun> run;

  PyDrive() = default;
  PyDrive(const PyDrive&) = delete;
  PyDrive& operator=(const PyDrive&) = delete;
  ~PyDrive() {
    py::gil_scoped_release release;
    run.reset();
  }
};

py::array_t<int64_t> Draw(const std::string& kind, double rate, uint64_t count, uint64_t seed, double shape,
                          double dwell_s) {
  ArrivalOptions options;
  options.kind = ValueOrThrow(ArrivalKindOf(kind));
  options.rate = rate;
  options.count = count;
  options.seed = seed;
  options.shape = shape;
  options.dwell_s = dwell_s;
  Result<std::vector<int64_t>> times = [&] {
    py::gil_scoped_release release;
    return TheBridge().draw_arrivals(options);
  }();
  return ArrayOf(ValueOrThrow(std::move(times)));
}

using Schedule = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

std::unique_ptr<PyDrive> Start(const py::capsule& target, const Schedule& schedule_ns, uint32_t concurrency,
                               double duration_s, uint64_t request_limit, uint32_t sender_count,
                               uint32_t max_in_flight) {
  LoadOptions options;
  options.schedule_ns.assign(schedule_ns.data(), schedule_ns.data() + schedule_ns.size());
  options.concurrency = concurrency;
  options.duration_ns = Nanoseconds(duration_s);
  if (request_limit > 0) options.request_limit = request_limit;
  options.sender_count = sender_count;
  options.max_in_flight = max_in_flight;
  TargetHandover taken = TakeTarget(target);
  options.borrowed = std::move(taken.borrowed);
  auto drive = std::make_unique<PyDrive>();
  drive->kept = std::move(taken.kept);
  drive->run = ValueOrThrow(TheBridge().start_load(std::move(options), std::move(taken.target)));
  return drive;
}

bool Wait(const PyDrive& self, double timeout_s) {
  py::gil_scoped_release release;
  return self.run->Wait(Nanoseconds(timeout_s));
}

void Stop(const PyDrive& self) {
  py::gil_scoped_release release;
  self.run->Stop();
}

py::array_t<LoadRecord> Records(const PyDrive& self) {
  std::vector<LoadRecord> records;
  {
    py::gil_scoped_release release;
    records = self.run->Records();
  }
  return ArrayOf(std::move(records));
}

}  // namespace

void RegisterLoad(py::module_& module) {
  RegisterLoadTargets(module);
  PYBIND11_NUMPY_DTYPE(LoadRecord, intended_ns, sent_ns, done_ns, status, spare);
  PYBIND11_NUMPY_DTYPE(Observation, at_ns, late_ns, in_flight);

  module.def("draw_arrivals", &Draw, "Send times of a run, nanoseconds since its start.", py::arg("kind"),
             py::kw_only(), py::arg("rate"), py::arg("count"), py::arg("seed") = 1, py::arg("shape") = 0.5,
             py::arg("dwell_s") = 0.1);

  py::class_<LoadProgress>(module, "DriveProgress", "How far a run is.")
      .def_readonly("planned", &LoadProgress::planned)
      .def_readonly("sent", &LoadProgress::sent)
      .def_readonly("answered", &LoadProgress::answered)
      .def_readonly("failed", &LoadProgress::failed)
      .def_readonly("elapsed_ns", &LoadProgress::elapsed_ns)
      .def_readonly("is_finished", &LoadProgress::is_finished);

  py::class_<PyDrive>(module, "Drive", "Load on a target, sent by native threads from the moment it is made.")
      .def(py::init(&Start), py::arg("target"), py::kw_only(), py::arg("schedule_ns") = Schedule(),
           py::arg("concurrency") = 0, py::arg("duration_s") = 0.0, py::arg("request_limit") = 0,
           py::arg("sender_count") = 1, py::arg("max_in_flight") = 1 << 16)
      .def("wait", &Wait, py::arg("timeout_s"))
      .def("stop", &Stop)
      .def("progress", [](const PyDrive& self) { return self.run->progress(); })
      .def("records", &Records)
      .def("observations", [](const PyDrive& self) { return ArrayOf(self.run->Observations()); })
      .def_property_readonly("start_ns", [](const PyDrive& self) { return self.run->start_ns(); });
}

}  // namespace workbench
