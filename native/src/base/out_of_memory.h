// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Where std::bad_alloc becomes a Status: at the ways into the core that give one.
#pragma once

#include <new>

#include "base/patience.h"
#include "base/status.h"

namespace workbench {

inline Status OutOfMemoryError() {
  const Patience patience;  // for the words
  return UnavailableError("the server is out of memory");
}

// What the body gives, a Status or a Result; UNAVAILABLE where there was no memory for it.
template <typename Body>
auto OrOutOfMemory(const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return OutOfMemoryError();
  }
}

}  // namespace workbench
