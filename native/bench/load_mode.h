// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0

// Who sends a request when: the ways of loading a server in process.
#pragma once

#include <memory>
#include <string>

#include "session.h"

namespace workbench::bench {

// Started and stopped by the driver's thread; Stop returns when nothing is in flight.
class LoadMode : public CompletionListener {
 public:
  struct Options {
    std::string name;  // callback, async, sync, open
    double rate = 0;   // open: arrivals per second
    int spin_us = 0;   // sync: how long a client spins before it sleeps
    int gap_us = 0;    // async: what lies at least between two requests
  };

  // Null where the name is none of these:
  // callback: the library's own thread sends the next request, so there is no hand-off;
  // async: one submitter takes completions from a queue;
  // sync: a thread for each slot sends and waits;
  // open: one thread, Poisson arrivals of a fixed seed; arrivals that find no free slot are
  // dropped.
  static std::unique_ptr<LoadMode> Create(Session& session, const Options& options);

  virtual void Start() = 0;
  virtual void Stop() = 0;
  virtual uint64_t Dropped() const { return 0; }
};

}  // namespace workbench::bench
