// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A model's configuration as options of ONNX Runtime, under the names of the public backend:
//   parameters       intra_op_thread_count, inter_op_thread_count, execution_mode (0 one node after the
//   other,
//                    1 beside each other), enable_mem_arena, enable_mem_pattern (0, 1),
//                    memory.enable_memory_arena_shrinkage, and any session.* entry of the library
//   model_operations op_library_filename: libraries of operators, in the version's or the model's folder
//   optimization     graph { level }: -1 basic, 1 extended, 2 none; else all
//                    execution_accelerators: gpu "tensorrt", "cuda" with their parameters
#pragma once

#include <workbench/backend.hpp>

#include "session.h"

namespace ort {

Owned<OrtSessionOptions> SessionOptionsOf(const Api& api, const workbench::Model& model,
                                          const Device& device);
Owned<OrtRunOptions> RunOptionsOf(const Api& api, const workbench::Model& model);

}  // namespace ort
