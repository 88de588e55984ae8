// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Backends and models as Python holds them.
#pragma once

#include <memory>

#include "python/module.h"

namespace workbench {

struct PyBackend {
  std::shared_ptr<PyEngine> engine;
  std::shared_ptr<BackendBridge> backend;
};

struct PyModel {
  std::shared_ptr<PyEngine> engine;
  std::unique_ptr<ModelBridge> model;
  int32_t max_batch_size = 0;
  // Closing joins the instances' threads, which may be inside user code.
  ~PyModel() {
    py::gil_scoped_release release;
    model.reset();
  }
};

}  // namespace workbench
