// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>

#include "python/module.h"

namespace workbench {

void RegisterEvents(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(Event, arrival_ns, start_ns, compute_start_ns, compute_end_ns, end_ns, id, batch, rows,
                       model, count, instance, kind, detail, status, priority, spare);
  PYBIND11_NUMPY_DTYPE(PoolBlock, address, byte_size, slab, model, instance, tensor, is_free);
  module.attr("EVENT_DTYPE") = py::dtype::of<Event>();
}

}  // namespace workbench
