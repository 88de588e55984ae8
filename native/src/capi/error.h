// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a Status becomes a TRITONSERVER_Error. Every function of the C interface returns through Guard.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "base/error_object.h"
#include "base/out_of_memory.h"
#include "base/result.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// Null for success; else an error that the caller deletes.
TRITONSERVER_Error* ErrorOf(const Status& status);

// Calls the body, which returns a Status; no exception leaves it.
template <typename Body>
TRITONSERVER_Error* Guard(const Body& body) noexcept {
  try {
    const Status status = body();
    return status.ok() ? nullptr : ErrorOf(status);
  } catch (const std::bad_alloc&) {
    const Patience patience;
    return ErrorOf(OutOfMemoryError());
  } catch (const std::exception& exception) {
    const Patience patience;
    return ErrorOf(InternalError(exception.what()));
  } catch (...) {
    const Patience patience;
    return ErrorOf(InternalError("something was thrown that is no std::exception"));
  }
}

// *target = value of the result, where there is one.
template <typename T, typename Target>
Status Assign(Result<T> result, Target* target) {
  if (!result.ok()) return result.status();
  *target = std::move(result).value();
  return OkStatus();
}

}  // namespace workbench
