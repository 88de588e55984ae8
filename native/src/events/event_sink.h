// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventSink: where the floors above put events. Any thread may call it; it never blocks and never fails.
#pragma once

#include "events/event.h"

namespace workbench {

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void Append(const Event& event) = 0;
};

}  // namespace workbench
