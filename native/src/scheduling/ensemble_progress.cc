// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/ensemble_progress.h"

#include <algorithm>

namespace workbench {

EnsembleProgress::EnsembleProgress(const EnsembleGraph& graph, const std::vector<bool>& wanted)
    : graph_(graph),
      need_(graph.NeedFor(wanted)),
      is_wanted_(graph.tensor_count()),
      wanted_count_(static_cast<uint32_t>(std::count(wanted.begin(), wanted.end(), true))),
      open_scopes_(graph.step_count()) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) is_wanted_[graph.answer()[i]] = true;
  }
  Open(EnsembleGraph::kNone);
}

uint32_t EnsembleProgress::StepsOf(uint32_t origin) const {
  uint32_t count = 0;
  for (uint32_t step = 0; step < graph_.step_count(); ++step) {
    if (need_.steps[step] && graph_.origin(step) == origin) ++count;
  }
  return count;
}

uint32_t EnsembleProgress::Open(uint32_t origin) {
  uint32_t number = scope_count();
  if (unused_scopes_.empty()) {
    scopes_.emplace_back();
  } else {
    number = unused_scopes_.back();
    unused_scopes_.pop_back();
  }
  Scope& scope = scopes_[number];
  scope.origin = origin;
  scope.steps_left = StepsOf(origin);
  scope.has_answer_left = graph_.answer_origin() == origin;
  scope.outputs_left = wanted_count_;
  scope.takers_left = need_.tensors;
  scope.inputs_left.resize(graph_.step_count());
  for (uint32_t step = 0; step < graph_.step_count(); ++step) {
    scope.inputs_left[step] = static_cast<uint32_t>(graph_.inputs(step).size());
  }
  scope.is_settled.assign(graph_.tensor_count(), false);
  scope.is_present.assign(graph_.tensor_count(), false);
  if (scope.has_answer_left) answers_.push_back(number);
  if (origin != EnsembleGraph::kNone) ++open_scopes_[origin];
  return number;
}

void EnsembleProgress::CloseIfDone(uint32_t number) {
  Scope& scope = scopes_[number];
  if (scope.steps_left != 0 || scope.has_answer_left) return;
  if (scope.origin != EnsembleGraph::kNone) --open_scopes_[scope.origin];
  unused_scopes_.push_back(number);
}

void EnsembleProgress::Settle(uint32_t number, uint32_t tensor, bool is_present) {
  Scope& scope = scopes_[number];
  if (scope.is_settled[tensor]) return;
  scope.is_settled[tensor] = true;
  scope.is_present[tensor] = is_present;
  for (uint32_t step : graph_.consumers(tensor)) {
    if (!need_.steps[step]) continue;
    const auto& inputs = graph_.inputs(step);
    scope.inputs_left[step] -= static_cast<uint32_t>(std::count(inputs.begin(), inputs.end(), tensor));
    if (scope.inputs_left[step] == 0) ready_.push_back({step, number});
  }
  if (is_wanted_[tensor] && scope.has_answer_left) --scope.outputs_left;
}

std::optional<EnsembleProgress::Place> EnsembleProgress::TakeReady() {
  if (ready_.empty()) return std::nullopt;
  const Place place = ready_.front();
  ready_.pop_front();
  return place;
}

uint32_t EnsembleProgress::Answer(const Place& place) {
  return graph_.step(place.step).is_decoupled ? Open(place.step) : place.scope;
}

void EnsembleProgress::Finish(const Place& place) {
  if (!graph_.step(place.step).is_decoupled) {
    for (uint32_t tensor : graph_.outputs(place.step)) Settle(place.scope, tensor, false);
  }
  --scopes_[place.scope].steps_left;
  CloseIfDone(place.scope);
}

std::optional<uint32_t> EnsembleProgress::TakeAnswer() {
  if (answers_.empty() || scopes_[answers_.front()].outputs_left != 0) return std::nullopt;
  const uint32_t number = answers_.front();
  answers_.pop_front();
  scopes_[number].has_answer_left = false;
  CloseIfDone(number);
  return number;
}

bool EnsembleProgress::Take(uint32_t scope, uint32_t tensor) {
  return --scopes_[scope].takers_left[tensor] == 0;
}

}  // namespace workbench
