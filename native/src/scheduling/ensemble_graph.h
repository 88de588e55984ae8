// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleGraph: which step of an ensemble makes which tensor, and for which steps it is meant. Immutable;
// shared by the requests that run through it.
//
// Tensors and steps are numbers here. A decoupled step answers any number of times; what hangs on such an
// answer runs once for each. So tensors have an origin: the decoupled step that they derive from last, or
// none. All that one step takes, and all that the ensemble answers with, is of one origin.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace workbench {

struct EnsembleStep {
  // A model's own name of a tensor, and the ensemble's.
  using Mapping = std::vector<std::pair<std::string, std::string>>;

  std::string model_name;
  int64_t model_version = -1;  // -1: the latest
  Mapping inputs;
  Mapping outputs;
  bool is_decoupled = false;
};

struct EnsembleOptions {
  std::vector<EnsembleStep> steps;
  uint32_t max_inflight_requests =
      0;  // answers of one decoupled step that are under way at once; 0: any number
};

class EnsembleGraph {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  using Numbers = std::vector<uint32_t>;

  // INVALID_ARGUMENT says which tensor of which step is made by nobody, by two, in a circle, or meets one of
  // another origin. The ensemble's inputs are the first tensors, in their order.
  static Result<EnsembleGraph> Create(EnsembleOptions options, const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs);

  const EnsembleOptions& options() const { return options_; }
  const EnsembleStep& step(uint32_t step) const { return options_.steps[step]; }
  uint32_t step_count() const { return static_cast<uint32_t>(options_.steps.size()); }
  uint32_t tensor_count() const { return static_cast<uint32_t>(tensors_.size()); }
  const std::string& tensor_name(uint32_t tensor) const { return tensors_[tensor].name; }
  uint32_t producer(uint32_t tensor) const {
    return tensors_[tensor].producer;
  }  // kNone: the ensemble's input
  const Numbers& consumers(uint32_t tensor) const { return tensors_[tensor].consumers; }
  // In the order of the step's mappings.
  const Numbers& inputs(uint32_t step) const { return links_[step].inputs; }
  const Numbers& outputs(uint32_t step) const { return links_[step].outputs; }
  uint32_t origin(uint32_t step) const { return links_[step].origin; }
  // Whether no other step runs on the step's model: else holding its thread back could hold up that step.
  bool has_own_model(uint32_t step) const { return links_[step].has_own_model; }
  // In the order of the ensemble's outputs, and their origin.
  const Numbers& answer() const { return answer_; }
  uint32_t answer_origin() const { return answer_origin_; }

  // What is needed for those of the ensemble's outputs that are wanted (by their order): the steps that run,
  // and for each tensor how many of these take it, the answer being one taker more.
  struct Need {
    std::vector<bool> steps;
    Numbers tensors;
  };
  Need NeedFor(const std::vector<bool>& wanted) const;

 private:
  struct Tensor {
    std::string name;
    uint32_t producer = kNone;
    Numbers consumers;
    uint32_t origin = kNone;
  };
  struct Links {
    Numbers inputs;
    Numbers outputs;
    uint32_t origin = kNone;
    bool has_own_model = true;
  };

  explicit EnsembleGraph(EnsembleOptions options) : options_(std::move(options)) {}
  uint32_t Find(const std::string& name) const;
  Status AddOutputs(uint32_t step);
  Status AddInputs(uint32_t step);
  void FindSharedModels();
  Status FindOrigins();
  Status FindOrigin(const Numbers& tensors, const std::string& taker, uint32_t* origin) const;
  Status AddAnswer(const std::vector<std::string>& outputs);

  EnsembleOptions options_;
  std::vector<Tensor> tensors_;
  std::vector<Links> links_;
  Numbers answer_;
  uint32_t answer_origin_ = kNone;
};

}  // namespace workbench
