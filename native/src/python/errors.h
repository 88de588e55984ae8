// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a Status becomes a Python exception, `_native.StatusError` with its `code`.
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "base/result.h"

namespace workbench {

// "INVALID_ARG" and so on.
const char* CodeName(StatusCode code);
// The code of that name; UNKNOWN for any other.
StatusCode CodeNamed(const std::string& name);

// Throws unless ok. REQUIRES: the GIL.
void ThrowIfError(const Status& status);

template <typename T>
T ValueOrThrow(Result<T> result) {
  ThrowIfError(result.status());
  return std::move(result).value();
}

}  // namespace workbench
