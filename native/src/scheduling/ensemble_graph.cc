// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/ensemble_graph.h"

#include <algorithm>

namespace workbench {
namespace {

std::string StepText(const EnsembleOptions& options, uint32_t step) {
  return "step " + std::to_string(step) + " (model '" + options.steps[step].model_name + "')";
}

}  // namespace

Result<EnsembleGraph> EnsembleGraph::Create(EnsembleOptions options, const std::vector<std::string>& inputs,
                                            const std::vector<std::string>& outputs) {
  EnsembleGraph graph(std::move(options));
  for (const std::string& input : inputs) graph.tensors_.push_back({input, kNone, {}, kNone});
  graph.links_.resize(graph.step_count());
  for (uint32_t step = 0; step < graph.step_count(); ++step) RETURN_IF_ERROR(graph.AddOutputs(step));
  for (uint32_t step = 0; step < graph.step_count(); ++step) RETURN_IF_ERROR(graph.AddInputs(step));
  graph.FindSharedModels();
  RETURN_IF_ERROR(graph.FindOrigins());
  RETURN_IF_ERROR(graph.AddAnswer(outputs));
  return graph;
}

uint32_t EnsembleGraph::Find(const std::string& name) const {
  for (uint32_t tensor = 0; tensor < tensor_count(); ++tensor) {
    if (tensors_[tensor].name == name) return tensor;
  }
  return kNone;
}

Status EnsembleGraph::AddOutputs(uint32_t step) {
  for (const auto& [name, tensor] : options_.steps[step].outputs) {
    if (Find(tensor) != kNone) {
      return InvalidArgumentError(StepText(options_, step) + " makes tensor '" + tensor +
                                  "', which is there already: give it another name");
    }
    links_[step].outputs.push_back(tensor_count());
    tensors_.push_back({tensor, step, {}, kNone});
  }
  return OkStatus();
}

Status EnsembleGraph::AddInputs(uint32_t step) {
  for (const auto& [name, tensor] : options_.steps[step].inputs) {
    const uint32_t found = Find(tensor);
    if (found == kNone) {
      return InvalidArgumentError(std::string("input '")
                                      .append(name)
                                      .append("' of ")
                                      .append(StepText(options_, step))
                                      .append(" takes tensor '")
                                      .append(tensor)
                                      .append("', which nothing makes"));
    }
    links_[step].inputs.push_back(found);
    Numbers& consumers = tensors_[found].consumers;
    if (consumers.empty() || consumers.back() != step) consumers.push_back(step);
  }
  return OkStatus();
}

void EnsembleGraph::FindSharedModels() {
  for (uint32_t one = 0; one < step_count(); ++one) {
    for (uint32_t other = 0; other < step_count(); ++other) {
      const bool is_shared = one != other && step(one).model_name == step(other).model_name;
      links_[one].has_own_model = links_[one].has_own_model && !is_shared;
    }
  }
}

// Goes through the steps in an order in which their inputs are made; what is left over runs in a circle.
Status EnsembleGraph::FindOrigins() {
  std::vector<bool> is_known(tensor_count());
  for (uint32_t tensor = 0; tensor < tensor_count(); ++tensor) is_known[tensor] = producer(tensor) == kNone;
  std::vector<bool> is_done(step_count());
  auto is_next = [&](uint32_t step) {
    const Numbers& taken = inputs(step);
    return !is_done[step] && std::all_of(taken.begin(), taken.end(), [&](uint32_t t) { return is_known[t]; });
  };
  for (uint32_t done = 0; done < step_count(); ++done) {
    uint32_t step = 0;
    while (step < step_count() && !is_next(step)) ++step;
    if (step == step_count()) {
      step = static_cast<uint32_t>(std::find(is_done.begin(), is_done.end(), false) - is_done.begin());
      return InvalidArgumentError(StepText(options_, step) +
                                  " waits for itself: its tensors run in a circle");
    }
    is_done[step] = true;
    RETURN_IF_ERROR(FindOrigin(inputs(step), StepText(options_, step), &links_[step].origin));
    for (uint32_t tensor : outputs(step)) {
      is_known[tensor] = true;
      tensors_[tensor].origin = options_.steps[step].is_decoupled ? step : links_[step].origin;
    }
  }
  return OkStatus();
}

Status EnsembleGraph::FindOrigin(const Numbers& tensors, const std::string& taker, uint32_t* origin) const {
  for (uint32_t tensor : tensors) {
    if (tensors_[tensor].origin != tensors_[tensors.front()].origin) {
      return InvalidArgumentError(
          taker + " takes tensors '" + tensor_name(tensors.front()) + "' and '" + tensor_name(tensor) +
          "', which come in different numbers: they derive from different decoupled steps");
    }
    *origin = tensors_[tensor].origin;
  }
  return OkStatus();
}

Status EnsembleGraph::AddAnswer(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    const uint32_t tensor = Find(output);
    if (tensor == kNone)
      return InvalidArgumentError("output '" + output + "' of the ensemble is made by no step");
    answer_.push_back(tensor);
  }
  return FindOrigin(answer_, "the ensemble's answer", &answer_origin_);
}

EnsembleGraph::Need EnsembleGraph::NeedFor(const std::vector<bool>& wanted) const {
  Need need{std::vector<bool>(step_count()), Numbers(tensor_count())};
  Numbers open;
  for (size_t i = 0; i < answer_.size(); ++i) {
    if (!wanted[i]) continue;
    ++need.tensors[answer_[i]];
    open.push_back(answer_[i]);
  }
  while (!open.empty()) {
    const uint32_t step = producer(open.back());
    open.pop_back();
    if (step == kNone || need.steps[step]) continue;
    need.steps[step] = true;
    for (uint32_t tensor : inputs(step)) {
      ++need.tensors[tensor];
      open.push_back(tensor);
    }
  }
  return need;
}

}  // namespace workbench
