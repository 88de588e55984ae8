// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults: how the test backend `faulty` misbehaves, set by a test through the object's symbol `wb_faults`.
#pragma once

#include <atomic>

namespace workbench {

enum class Fault {
  kNone,
  kAnswersTwice,              // two final responses
  kAnswersTwiceAfterRelease,  // the same through a factory, once the request is gone
  kAnswersAfterFinal,         // an output, a response and flags after the final response
  kSendsAResponseTwice,
  kAnswersWithoutRequest,  // makes a response of a request that it released
  kFailsAfterAnswering,    // answers and releases the first request of a batch, then returns an error
  kFailsAfterSending,      // answers all and releases none, then returns an error
  kReleasesTwice,
  kKeeps,  // neither answers nor releases, until told to
  kThrowsAfterAnswering,
};

struct Faults {
  std::atomic<Fault> fault{Fault::kNone};
  std::atomic<int> refused{0};  // calls of the backend that the server answered with an error
  std::atomic<void (*)()> answer_kept{nullptr};
};

}  // namespace workbench
