// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "python/array.h"
#include "python/errors.h"
#include "python/module.h"
#include "python/spec.h"

namespace workbench {
namespace {

using Schedule = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

template <typename T>
T Get(py::handle object, const char* name) {
  return object.attr(name).cast<T>();
}

ServiceModel ServiceFrom(py::handle object) {
  ServiceModel service;
  service.service_ns = Get<std::vector<uint64_t>>(object, "service_ns");
  service.speeds = Get<std::vector<double>>(object, "speeds");
  service.spread = Get<std::vector<double>>(object, "spread");
  service.overhead_ns = Get<uint64_t>(object, "overhead_ns");
  service.turnaround_ns = Get<uint64_t>(object, "turnaround_ns");
  service.wake_ns = Get<uint64_t>(object, "wake_ns");
  service.timer_late_ns = Get<uint64_t>(object, "timer_late_ns");
  service.after_pause = Get<std::vector<PausePoint>>(object, "after_pause");
  return service;
}

TrafficOptions TrafficFrom(py::handle object, const Schedule& schedule_ns) {
  TrafficOptions traffic;
  traffic.schedule_ns = schedule_ns.data();
  traffic.schedule_length = static_cast<size_t>(schedule_ns.size());
  traffic.rate = Get<double>(object, "rate");
  traffic.concurrency = Get<uint32_t>(object, "concurrency");
  traffic.requests = Get<uint64_t>(object, "requests");
  traffic.seed = Get<uint64_t>(object, "seed");
  return traffic;
}

// A model: its scheduler, instances and service times.
SimulatedModel::Options StationFrom(py::handle object) {
  SchedulingOptions scheduling =
      SchedulingFrom(object.attr("batching"), Get<int32_t>(object, "max_batch_size"));
  SimulatedModel::Options model;
  model.batching = std::move(scheduling.batching);
  model.queue = std::move(scheduling.queue);
  model.sequence = std::move(scheduling.sequence);
  model.service = ServiceFrom(object.attr("service"));
  model.instance_count = Get<uint32_t>(object, "instance_count");
  return model;
}

SimulatedEnsemble::Options EnsembleCellFrom(py::handle object, uint64_t seed) {
  SimulatedEnsemble::Options ensemble;
  ensemble.graph = EnsembleFrom(object.attr("graph"));
  ensemble.inputs = Get<std::vector<std::string>>(object, "inputs");
  ensemble.outputs = Get<std::vector<std::string>>(object, "outputs");
  ensemble.model_of_step = Get<std::vector<uint32_t>>(object, "model_of_step");
  for (py::handle model : object.attr("models")) {
    ensemble.models.push_back(StationFrom(model));
    ensemble.models.back().seed = seed + ensemble.models.size();  // what varies does so by itself in each
  }
  return ensemble;
}

SimulationOptions CellFrom(py::handle object, const Schedule& schedule_ns) {
  SimulationOptions cell;
  cell.model = StationFrom(object);
  cell.traffic = TrafficFrom(object, schedule_ns);
  cell.model.seed = cell.traffic.seed;
  cell.warmup_requests = Get<uint64_t>(object, "warmup_requests");
  cell.priority_shares = Get<std::vector<double>>(object, "priority_shares");
  cell.row_shares = Get<std::vector<double>>(object, "row_shares");
  cell.timeout_ns = Get<uint64_t>(object, "timeout_ns");
  cell.sequence_count = Get<uint32_t>(object, "sequence_count");
  cell.sequence_length = Get<uint32_t>(object, "sequence_length");
  cell.keeps_records = Get<bool>(object, "keeps_records");
  const py::object ensemble = object.attr("ensemble");
  if (!ensemble.is_none()) {
    cell.ensemble = EnsembleCellFrom(ensemble, cell.traffic.seed);
    cell.ensemble.warmup_requests = cell.warmup_requests;
  }
  return cell;
}

py::dict DictOf(SimulationResult result) {
  py::list batches;
  for (const BatchTally& tally : result.batches) {
    batches.append(py::make_tuple(tally.rows, static_cast<int>(tally.reason), tally.count));
  }
  py::dict told;
  told["answered"] = result.answered;
  told["rejected"] = result.rejected;
  told["timed_out"] = result.timed_out;
  told["mean_ns"] = result.mean_ns;
  told["queue_mean_ns"] = result.queue_mean_ns;
  told["service_mean_ns"] = result.service_mean_ns;
  told["quantiles_ns"] = result.quantiles_ns;
  told["max_ns"] = result.max_ns;
  told["throughput"] = result.throughput;
  told["utilisation"] = result.utilisation;
  told["duration_ns"] = result.duration_ns;
  told["batches"] = batches;
  told["is_overloaded"] = result.is_overloaded;
  told["is_stopped"] = result.is_stopped;
  py::list models;
  for (SimulationResult& model : result.models) models.append(DictOf(std::move(model)));
  told["models"] = models;
  told["records"] = ArrayOf(std::move(result.records));
  return told;
}

// A run as Python holds it, with the schedules that it reads.
class PySimulation {
 public:
  PySimulation(const py::sequence& cells, uint32_t thread_count) {
    std::vector<SimulationOptions> options;
    for (py::handle cell : cells) {
      schedules_.push_back(Get<Schedule>(cell, "schedule_ns"));
      options.push_back(CellFrom(cell, schedules_.back()));
    }
    auto started = [&] {
      py::gil_scoped_release release;
      return TheBridge().start_simulations(std::move(options), thread_count);
    }();
    run_ = ValueOrThrow(std::move(started));
  }
  PySimulation(const PySimulation&) = delete;
  PySimulation& operator=(const PySimulation&) = delete;
  ~PySimulation() {
    py::gil_scoped_release release;
    run_.reset();
  }

  bool Wait(double timeout_s) const {
    py::gil_scoped_release release;
    return run_->Wait(Nanoseconds(timeout_s));
  }
  void Stop() const { run_->Stop(); }
  size_t done() const { return run_->done(); }
  py::list Results() const {
    py::list results;
    for (auto& result : run_->Results()) results.append(DictOf(ValueOrThrow(std::move(result))));
    return results;
  }

 private:
  std::vector<Schedule> schedules_;
  std::unique_ptr<SimulationRun> run_;
};

}  // namespace

void RegisterSimulation(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(SimulationRecord, arrival_ns, latency_ns, queue_ns, batch, rows, reason, status);

  py::class_<PySimulation>(module, "Simulation", "Simulations under way, on native threads.")
      .def(py::init<const py::sequence&, uint32_t>(), py::arg("cells"), py::kw_only(), py::arg("threads") = 1)
      .def("wait", &PySimulation::Wait, py::arg("timeout_s"))
      .def("stop", &PySimulation::Stop)
      .def_property_readonly("done", &PySimulation::done)
      .def("results", &PySimulation::Results, "Of each cell; once, when all are done.");
}

}  // namespace workbench
