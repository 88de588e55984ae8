// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Inspection: lets a test stand inside the backend `inspects`, which exports one as `wb_inspection`.
#pragma once

#include <functional>

#include "triton/core/tritonbackend.h"

namespace workbench {

struct Inspection {
  std::function<void(TRITONBACKEND_BackendAttribute*)> on_attribute;
  std::function<void(TRITONBACKEND_Model*)> on_model;
  std::function<void(TRITONBACKEND_ModelInstance*)> on_instance;
  // Its output is written, its response not sent.
  std::function<void(TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request*, TRITONBACKEND_Response*,
                     TRITONBACKEND_Output*)>
      on_request;
};

}  // namespace workbench
