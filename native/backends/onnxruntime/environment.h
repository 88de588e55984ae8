// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What the models of a process share: ONNX Runtime's environment, and the library itself.
#pragma once

#include <workbench/backend.hpp>

#include "api.h"

namespace ort {

// The library that the backend's setting `library` names, or the one that the system finds.
const Api& ApiOf(const workbench::Model& model);
// Whether sessions share the threads of the environment: the backend's setting `enable-global-threadpool`.
bool HasGlobalThreads(const workbench::Model& model);
// One in a process, made for its first model; what the library logs goes to the server's log. Throws
// INVALID_ARG where the model's sessions are to share threads and the first model's were not.
const OrtEnv* Environment(const Api& api, const workbench::Model& model);

}  // namespace ort
