// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventArray: room for events, each in one cache line. Not initialised: pages that are never written cost
// nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "events/event.h"

namespace workbench {

struct DeleteEventArray {
  void operator()(Event* events) const { ::operator delete(events, std::align_val_t(sizeof(Event))); }
};
using EventArray = std::unique_ptr<Event[], DeleteEventArray>;

inline EventArray NewEventArray(size_t capacity) {
  return EventArray(
      static_cast<Event*>(::operator new(capacity * sizeof(Event), std::align_val_t(sizeof(Event)))));
}

}  // namespace workbench
