// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "python/model.h"

#include <pybind11/stl.h>

#include <utility>

#include "python/errors.h"
#include "python/spec.h"
#include "triton/core/tritonserver.h"

namespace workbench {
namespace {

py::dict Row(const StatisticsSnapshot::Duration& duration) {
  py::dict row;
  row["count"] = duration.count;
  row["ns"] = duration.ns;
  return row;
}

py::dict BatchRow(size_t size, const StatisticsSnapshot::Batch& batch) {
  py::dict row;
  row["batch_size"] = size;
  row["compute_input"] = Row(batch.compute_input);
  row["compute_infer"] = Row(batch.compute_infer);
  row["compute_output"] = Row(batch.compute_output);
  return row;
}

py::dict ResponseRow(const StatisticsSnapshot::Response& response) {
  py::dict row;
  row["compute_infer"] = Row(response.compute_infer);
  row["compute_output"] = Row(response.compute_output);
  row["success"] = Row(response.success);
  row["fail"] = Row(response.fail);
  row["empty_response"] = Row(response.empty_response);
  row["cancel"] = Row(response.cancel);
  return row;
}

py::list MemoryRows(const std::vector<BufferAttributes>& usage) {
  py::list rows;
  for (const BufferAttributes& part : usage) {
    py::dict row;
    row["type"] = TRITONSERVER_MemoryTypeString(static_cast<TRITONSERVER_MemoryType>(part.place.type));
    row["id"] = part.place.id;
    row["byte_size"] = part.byte_size;
    rows.append(row);
  }
  return rows;
}

py::dict FailureRow(const StatisticsSnapshot& snapshot) {
  py::dict row;
  size_t reason = 0;
  for (const char* name : {"REJECTED", "CANCELED", "BACKEND", "OTHER"})
    row[name] = snapshot.failures[reason++];
  return row;
}

py::dict Statistics(const PyModel& self) {
  const StatisticsSnapshot snapshot = self.model->statistics();
  py::dict row;
  row["success"] = Row(snapshot.success);
  row["fail"] = Row(snapshot.fail);
  row["queue"] = Row(snapshot.queue);
  row["compute_input"] = Row(snapshot.compute_input);
  row["compute_infer"] = Row(snapshot.compute_infer);
  row["compute_output"] = Row(snapshot.compute_output);
  row["cache_hit"] = Row(snapshot.cache_hit);
  row["cache_miss"] = Row(snapshot.cache_miss);
  row["inference_count"] = snapshot.inference_count;
  row["execution_count"] = snapshot.execution_count;
  row["last_inference_ns"] = snapshot.last_inference_ns;
  py::list batches;
  for (size_t size = 0; size < snapshot.batches.size(); ++size) {
    if (snapshot.batches[size].compute_infer.count > 0)
      batches.append(BatchRow(size, snapshot.batches[size]));
  }
  row["batch_stats"] = batches;
  py::dict responses;
  for (size_t place = 0; place < snapshot.responses.size(); ++place)
    responses[py::str(std::to_string(place))] = ResponseRow(snapshot.responses[place]);
  row["response_stats"] = responses;
  py::dict copies;
  for (size_t reason = 0; reason < snapshot.copies.size(); ++reason)
    copies[kCopyReasonNames[reason]] = snapshot.copies[reason];
  row["copies"] = copies;
  row["memory_usage"] = MemoryRows(snapshot.memory_usage);
  row["failures"] = FailureRow(snapshot);
  return row;
}

std::string Initialize(const PyModel& self) {
  Result<std::string> config = [&] {
    py::gil_scoped_release release;
    return self.model->Initialize();
  }();
  return ValueOrThrow(std::move(config));
}

void Start(PyModel& self, py::handle spec) {
  ModelSpec plain = ModelSpecFrom(spec);
  self.max_batch_size = plain.signature.max_batch_size;
  const Status status = [&] {
    py::gil_scoped_release release;
    return self.model->Start(std::move(plain));
  }();
  ThrowIfError(status);
}

void Reconfigure(const PyModel& self, py::handle batching) {
  SchedulingOptions options = SchedulingFrom(batching, self.max_batch_size);
  py::gil_scoped_release release;
  self.model->Reconfigure(std::move(options));
}

py::dict QueueLengths(const PyModel& self) {
  py::dict lengths;
  for (const QueueLevel& level : self.model->queue_levels()) lengths[py::int_(level.level)] = level.length;
  return lengths;
}

py::list InFlightRequests(const PyModel& self) {
  py::list requests;
  for (const InFlightRequest& request : self.model->InFlightRequests()) {
    requests.append(py::make_tuple(request.serial, request.request_id, request.arrival_ns));
  }
  return requests;
}

void UpdateInstances(const PyModel& self, py::handle instances) {
  std::vector<InstanceSpec> specs = InstancesFrom(instances);
  const Status status = [&] {
    py::gil_scoped_release release;
    return self.model->UpdateInstances(std::move(specs));
  }();
  ThrowIfError(status);
}

void Close(const PyModel& self) {
  const Status status = [&] {
    py::gil_scoped_release release;
    return self.model->Close();
  }();
  ThrowIfError(status);
}

}  // namespace

void RegisterModel(py::module_& module) {
  py::class_<PyModel, std::shared_ptr<PyModel>>(module, "Model", "One version of a model in the core.")
      .def_property_readonly("name", [](const PyModel& self) { return self.model->name(); })
      .def_property_readonly("version", [](const PyModel& self) { return self.model->version(); })
      .def_property_readonly("number", [](const PyModel& self) { return self.model->number(); })
      .def("initialize", &Initialize)
      .def("start", &Start, py::arg("spec"))
      .def("reconfigure", &Reconfigure, py::arg("batching"))
      .def("update_instances", &UpdateInstances, py::arg("instances"))
      .def(
          "drain",
          [](const PyModel& self, double timeout_s) {
            py::gil_scoped_release release;
            return self.model->Drain(Nanoseconds(timeout_s));
          },
          py::arg("timeout_s"))
      .def("close", &Close)
      .def("statistics", &Statistics)
      .def("queue_length", [](const PyModel& self) { return self.model->queue_length(); })
      .def("queue_lengths", &QueueLengths)
      .def("in_flight", [](const PyModel& self) { return self.model->in_flight(); })
      .def("in_flight_requests", &InFlightRequests);
}

}  // namespace workbench
