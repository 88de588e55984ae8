// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// All that backend.hpp defines, for backends that link it: see backend/error.hpp.
#define WORKBENCH_BACKEND_COMPILED
#include "workbench/backend.hpp"
