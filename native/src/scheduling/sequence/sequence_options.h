// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceOptions: how a model's sequences are served. Immutable once the model has started, save what
// Reconfigure takes: max_idle_ns and minimum_slot_utilization.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/sequence_state.h"

namespace workbench {

// An extra input that tells a backend where in its sequence a request stands.
struct ControlSpec {
  enum class Kind : uint8_t { kStart, kEnd, kReady, kCorrelationId };

  Kind kind = Kind::kStart;
  TensorSpec input;
  // One element each; not for the correlation id.
  std::string false_bytes;
  std::string true_bytes;
};

struct SequenceOptions {
  enum class Strategy : uint8_t {
    kNone,    // the model has no sequences
    kDirect,  // a sequence's slot is its place in the batch
    kOldest,  // batches of the requests that wait longest, one of each sequence
  };

  Strategy strategy = Strategy::kNone;
  uint64_t max_idle_ns = 1'000'000'000;
  uint32_t max_candidate_sequences = 0;   // oldest: slots of an instance; 0: max_batch_size
  double minimum_slot_utilization = 0.0;  // direct: share of slots that ends the delay
  bool is_iterative = false;              // backends may ask to execute a request again
  std::vector<ControlSpec> controls;
  std::vector<StateSpec> states;

  bool is_enabled() const { return strategy != Strategy::kNone; }
};

}  // namespace workbench
