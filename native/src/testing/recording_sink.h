// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RecordingSink: keeps the events that a test's subject appends.
#pragma once

#include <mutex>
#include <vector>

#include "events/event_sink.h"

namespace workbench {

class RecordingSink final : public EventSink {
 public:
  void Append(const Event& event) override {
    std::lock_guard<std::mutex> lock(mutex_);
    events_.push_back(event);
  }
  std::vector<Event> events() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return events_;
  }
  std::vector<Event> OfKind(EventKind kind) const {
    std::vector<Event> found;
    for (const Event& event : events()) {
      if (event.kind == kind) found.push_back(event);
    }
    return found;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

}  // namespace workbench
