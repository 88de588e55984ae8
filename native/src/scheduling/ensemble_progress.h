// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleProgress: how far one request is on its way through an ensemble: which steps can run now, which
// answers are complete. Pure: it holds no tensor and sends nothing. One caller at a time.
//
// What derives from one answer of a decoupled step is a scope of its own; scope 0 is the request's. A tensor
// is settled in a scope once it is there, or once it is sure that it will not be.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "scheduling/ensemble_graph.h"

namespace workbench {

class EnsembleProgress {
 public:
  struct Place {
    uint32_t step = 0;
    uint32_t scope = 0;
  };

  // wanted: the outputs asked for, by their order in the ensemble. The graph is borrowed.
  EnsembleProgress(const EnsembleGraph& graph, const std::vector<bool>& wanted);

  // The tensor is there, or will not be.
  void Settle(uint32_t scope, uint32_t tensor, bool is_present);
  // A step that can run in a scope, each once.
  std::optional<Place> TakeReady();
  // The step answered: the scope where what it made belongs.
  uint32_t Answer(const Place& place);
  // The step gave its last answer; what it did not make is settled as absent.
  void Finish(const Place& place);
  // A scope whose wanted outputs are settled, each once, in the order in which the scopes were opened:
  // answers to one request leave in the order in which a decoupled step sent what they derive from.
  std::optional<uint32_t> TakeAnswer();
  // A taker of the tensor (a step that is ready, an answer) has it: true if it was the last of the scope.
  // REQUIRES: no Answer since the taker was taken.
  bool Take(uint32_t scope, uint32_t tensor);

  bool is_needed(uint32_t tensor) const { return need_.tensors[tensor] > 0; }
  bool is_present(uint32_t scope, uint32_t tensor) const { return scopes_[scope].is_present[tensor]; }
  // Scopes opened by a step's answers in which something is still to be done.
  uint32_t open_scopes(uint32_t step) const { return open_scopes_[step]; }
  // Scopes ever opened and not yet given to another: an upper bound of the numbers in use.
  uint32_t scope_count() const { return static_cast<uint32_t>(scopes_.size()); }

 private:
  struct Scope {
    uint32_t origin = EnsembleGraph::kNone;  // the step whose answer opened it
    uint32_t steps_left = 0;
    bool has_answer_left = false;
    uint32_t outputs_left = 0;
    EnsembleGraph::Numbers inputs_left;  // by step
    EnsembleGraph::Numbers takers_left;  // by tensor
    std::vector<bool> is_settled;
    std::vector<bool> is_present;
  };

  uint32_t Open(uint32_t origin);
  void CloseIfDone(uint32_t scope);
  uint32_t StepsOf(uint32_t origin) const;

  const EnsembleGraph& graph_;
  EnsembleGraph::Need need_;
  std::vector<bool> is_wanted_;  // by tensor
  uint32_t wanted_count_ = 0;
  std::deque<Scope> scopes_;
  std::vector<uint32_t> unused_scopes_;
  std::vector<uint32_t> open_scopes_;  // by step
  std::deque<Place> ready_;
  std::deque<uint32_t> answers_;  // scopes that are to answer, in the order in which they were opened
};

}  // namespace workbench
