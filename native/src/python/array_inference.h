// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// The short way of a blocking inference: numpy arrays in, numpy arrays out, one crossing of the boundary.
// What needs more (texts, conversions, options, several responses) takes the long one through Call and
// Response.
#pragma once

#include "python/module.h"

namespace workbench {

// (outputs by name, null, call), or (None, response, call) where the response is no single, final one of
// plain arrays; None where an input is no contiguous numpy array of a type of the protocol, and nothing was
// sent. Signals are looked for while it waits, and what their handlers raise cancels the call.
py::object InferArrays(const std::shared_ptr<PyEngine>& self, const std::string& model, int64_t version,
                       const py::dict& inputs);

}  // namespace workbench
