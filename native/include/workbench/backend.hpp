// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A C++17 face over the TRITONBACKEND interface. Headers alone, over triton/core/*.h alone: what is built
// with it loads in any server that has the interface.
//
//   #include <workbench/backend.hpp>
//
//   struct Doubler {  // one per model instance; never called by two threads at once
//     void Execute(workbench::Request& request) {
//       const workbench::Input input = request.input("INPUT0");
//       std::vector<float> values(input.as<float>().begin(), input.as<float>().end());
//       for (float& value : values) value *= 2;
//       request.output("OUTPUT0").Write(values, input.shape());
//     }
//   };
//   WORKBENCH_BACKEND(Doubler)
//
// Execute may take a Batch instead, to serve all its requests by one call of an engine (Gather, Scatter).
// WORKBENCH_BACKEND(Instance, Model) names a second class, of which each model gets one: its constructor
// takes a `const workbench::Model&` (configuration, parameters, files), and the instance's takes a reference
// to it, a `const workbench::Instance&`, or both. Whatever Execute does or throws, each request is answered
// once, counted once and released once.
#pragma once

#include "workbench/backend/batch.hpp"
#include "workbench/backend/entry_points.hpp"
#include "workbench/backend/error.hpp"
#include "workbench/backend/json.hpp"
#include "workbench/backend/memory.hpp"
#include "workbench/backend/model.hpp"
#include "workbench/backend/ragged.hpp"
#include "workbench/backend/request.hpp"
#include "workbench/backend/span.hpp"
#include "workbench/backend/tensor.hpp"
