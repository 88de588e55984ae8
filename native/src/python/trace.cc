// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "python/data_type.h"
#include "python/module.h"

namespace workbench {
namespace {

py::dict Row(const TracedTensor& tensor) {
  py::dict row;
  row["activity"] = tensor.activity;
  row["name"] = tensor.name;
  row["datatype"] = TypeName(tensor.type);
  row["shape"] = py::tuple(py::cast(tensor.shape));
  row["data"] = py::bytes(tensor.bytes);
  return row;
}

py::dict Row(const TraceRecord& record) {
  py::dict row;
  row["id"] = record.id;
  row["parent_id"] = record.parent_id;
  row["model_name"] = record.model;
  row["model_version"] = record.version;
  row["request_id"] = record.request_id;
  row["timestamps"] = record.activities;
  py::list tensors;
  for (const TracedTensor& tensor : record.tensors) tensors.append(Row(tensor));
  row["tensors"] = tensors;
  return row;
}

}  // namespace

bool WaitForTraces(const PyEngine& self, double timeout_s) {
  py::gil_scoped_release release;
  return self.engine->WaitForTraces(static_cast<uint64_t>(timeout_s * 1e9));
}

py::tuple TakeTraces(const PyEngine& self) {
  const TracePage page = self.engine->TakeTraces();
  py::list rows;
  for (const TraceRecord& record : page.records) rows.append(Row(record));
  return py::make_tuple(rows, page.dropped);
}

void SetTrace(const PyEngine& self, const std::string& model, uint32_t level, uint64_t rate, int64_t count) {
  self.engine->SetTrace(model, TraceSettings{level, rate, count});
}

void ClearTrace(const PyEngine& self, const std::string& model) {
  self.engine->SetTrace(model, std::nullopt);
}

}  // namespace workbench
