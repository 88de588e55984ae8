// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulated_ensemble.h"

#include <algorithm>
#include <string>
#include <utility>

namespace workbench {
namespace {

Result<EnsembleGraph> GraphOf(const SimulatedEnsemble::Options& options) {
  return EnsembleGraph::Create(options.graph, options.inputs, options.outputs);
}

std::vector<std::string> InputNames(const EnsembleStep& step) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : step.inputs) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// The first step that gives the same model the same inputs. An optional input that one request has and
// another has not keeps them apart.
uint64_t ShapeOf(const EnsembleOptions& graph, uint32_t step) {
  const EnsembleStep& own = graph.steps[step];
  for (uint32_t other = 0; other < step; ++other) {
    const EnsembleStep& one = graph.steps[other];
    if (one.model_name == own.model_name && InputNames(one) == InputNames(own)) return other;
  }
  return step;
}

}  // namespace

// A request on its way through the graph.
struct SimulatedEnsemble::Run {
  SimulatedRequest* request = nullptr;
  std::optional<EnsembleProgress> progress;
  uint32_t steps_left = 0;  // under way, or about to be
  uint64_t queue_ns = 0;    // of all steps
  uint64_t end_ns = 0;
  bool has_failed = false;
  bool has_timed_out = false;
};

struct SimulatedEnsemble::StepRequest : SimulatedRequest {
  Run* run = nullptr;
  EnsembleProgress::Place place;
};

// A model of the ensemble. Steps that share it share its queue.
class SimulatedEnsemble::Station final : public SimulationSink {
 public:
  Station(SimulatedEnsemble* ensemble, const SimulatedModel::Options& options, uint64_t warmup_requests)
      : ensemble_(ensemble),
        rows_(std::max(1u, options.batching.max_batch_size)),
        instance_count_(options.instance_count),
        shares_(!options.service.speeds.empty()),
        tally_({warmup_requests, 0, options.batching.max_batch_size, false}),
        model_(options, this) {}

  void Arrive(StepRequest* request, uint64_t now_ns) {
    request->rows = std::min(request->rows, rows_);  // a model that does not batch takes the request as one
    tally_.OnArrival(*request);
    model_.Arrive(request, now_ns);
  }
  void OnExecuted(const Execution& execution, uint64_t end_ns) override {
    tally_.OnExecuted(execution, end_ns);
    auto* request = static_cast<StepRequest*>(execution.first);
    for (uint32_t i = 0; i < execution.count; ++i) {
      auto* const next = static_cast<StepRequest*>(request->next);
      ensemble_->OnStepDone(request, execution.start_ns, end_ns);
      request = next;
    }
  }
  void OnRefused(SimulatedRequest* request, uint64_t now_ns, bool timed_out) override {
    tally_.OnRefused(*request, timed_out);
    ensemble_->OnStepRefused(static_cast<StepRequest*>(request), timed_out);
  }

  SimulatedModel& model() { return model_; }
  bool shares() const { return shares_; }
  SimulationResult TakeResult() { return tally_.Take(instance_count_); }

 private:
  SimulatedEnsemble* const ensemble_;
  const uint32_t rows_;
  const uint32_t instance_count_;
  const bool shares_;
  SimulationTally tally_;
  SimulatedModel model_;
};

template <typename T>
T* SimulatedEnsemble::Unused<T>::Take(std::deque<T>* all) {
  if (unused.empty()) return &all->emplace_back();
  T* const taken = unused.back();
  unused.pop_back();
  return taken;
}

SimulatedEnsemble::SimulatedEnsemble(const Options& options, SimulationSink* sink)
    : options_(options),
      graph_(GraphOf(options).value()),
      sink_(sink),
      wanted_(options.outputs.size(), true) {
  for (const SimulatedModel::Options& model : options.models) {
    stations_.push_back(std::make_unique<Station>(this, model, options.warmup_requests));
  }
  for (uint32_t step = 0; step < graph_.step_count(); ++step) shapes_.push_back(ShapeOf(options.graph, step));
}

SimulatedEnsemble::~SimulatedEnsemble() = default;

void SimulatedEnsemble::Arrive(SimulatedRequest* request, uint64_t now_ns) {
  now_ns_ = now_ns;
  GoOn(Begin(request));
  Share();
}

void SimulatedEnsemble::Advance(uint64_t now_ns) {
  now_ns_ = now_ns;
  for (const auto& station : stations_) {
    if (station->model().next_ns() <= now_ns) station->model().Advance(now_ns);
  }
  Share();
}

SimulatedEnsemble::Run* SimulatedEnsemble::Begin(SimulatedRequest* request) {
  Run* const run = unused_runs_.Take(&runs_);
  run->request = request;
  run->steps_left = 0;
  run->queue_ns = run->end_ns = 0;
  run->has_failed = run->has_timed_out = false;
  run->progress.emplace(graph_, wanted_);
  for (uint32_t tensor = 0; tensor < graph_.tensor_count(); ++tensor) {
    if (graph_.producer(tensor) == EnsembleGraph::kNone) run->progress->Settle(0, tensor, true);
  }
  return run;
}

// As the server does: all steps that can run count before the first of them is sent.
void SimulatedEnsemble::GoOn(Run* run) {
  std::vector<EnsembleProgress::Place> places;
  while (const auto place = run->progress->TakeReady()) places.push_back(*place);
  run->steps_left += static_cast<uint32_t>(places.size());
  for (const auto& place : places) Launch(run, place);
}

void SimulatedEnsemble::Launch(Run* run, const EnsembleProgress::Place& place) {
  if (run->has_failed) return EndStep(run);
  StepRequest* const step = unused_steps_.Take(&steps_);
  const SimulatedRequest& request = *run->request;
  step->run = run;
  step->place = place;
  step->arrival_ns = now_ns_;
  step->number = request.number;
  step->rows = request.rows;
  step->shape_signature = shapes_[place.step];
  step->priority = request.priority;
  step->timeout_ns = request.timeout_ns;
  stations_[options_.model_of_step[place.step]]->Arrive(step, now_ns_);
}

void SimulatedEnsemble::OnStepDone(StepRequest* step, uint64_t start_ns, uint64_t end_ns) {
  Run* const run = step->run;
  const EnsembleProgress::Place place = step->place;
  run->queue_ns += start_ns - step->arrival_ns;
  run->end_ns = std::max(run->end_ns, end_ns);
  unused_steps_.GiveBack(step);
  if (!run->has_failed) Settle(run, place);
  EndStep(run);
}

void SimulatedEnsemble::Settle(Run* run, const EnsembleProgress::Place& place) {
  const uint32_t scope = run->progress->Answer(place);
  for (uint32_t tensor : graph_.outputs(place.step)) run->progress->Settle(scope, tensor, true);
  run->progress->Finish(place);
  GoOn(run);
}

void SimulatedEnsemble::OnStepRefused(StepRequest* step, bool timed_out) {
  Run* const run = step->run;
  unused_steps_.GiveBack(step);
  run->has_timed_out = run->has_failed ? run->has_timed_out : timed_out;  // the first reason is told
  run->has_failed = true;
  EndStep(run);
}

// The last one to end, of those under way, answers.
void SimulatedEnsemble::EndStep(Run* run) {
  if (--run->steps_left > 0) return;
  SimulatedRequest* const request = run->request;
  unused_runs_.GiveBack(run);
  if (run->has_failed) return sink_->OnRefused(request, now_ns_, run->has_timed_out);
  Execution execution;
  execution.first = request;
  execution.count = 1;
  execution.rows = request->rows;
  execution.reason = BatchReason::kDirect;
  execution.start_ns = std::min(run->end_ns, request->arrival_ns + run->queue_ns);
  sink_->OnExecuted(execution, run->end_ns);
}

// Who executes now slows the others down.
void SimulatedEnsemble::Share() {
  size_t active = 0;
  for (const auto& station : stations_) active += station->shares() ? station->model().active() : 0;
  next_ns_ = SimulatedModel::kNever;
  for (const auto& station : stations_) {
    SimulatedModel& model = station->model();
    if (station->shares()) model.SetOthers(active - model.active(), now_ns_);
    next_ns_ = std::min(next_ns_, model.next_ns());
  }
}

size_t SimulatedEnsemble::waiting() const {
  size_t waiting = 0;
  for (const auto& station : stations_) waiting += station->model().waiting();
  return waiting;
}

std::vector<SimulationResult> SimulatedEnsemble::TakeResults() {
  std::vector<SimulationResult> results;
  for (const auto& station : stations_) results.push_back(station->TakeResult());
  return results;
}

Status Check(const SimulatedEnsemble::Options& options) {
  for (const SimulatedModel::Options& model : options.models) {
    RETURN_IF_ERROR(Check(model.service));
    if (model.instance_count == 0) return InvalidArgumentError("a simulation needs an instance");
    if (model.sequence.is_enabled()) return UnsupportedError("a step with sequences is not simulated");
  }
  ASSIGN_OR_RETURN(const EnsembleGraph graph, GraphOf(options));
  if (options.model_of_step.size() != graph.step_count()) {
    return InvalidArgumentError("a simulated ensemble needs a model for each step");
  }
  for (uint32_t step = 0; step < graph.step_count(); ++step) {
    if (options.model_of_step[step] >= options.models.size()) {
      return InvalidArgumentError("step " + std::to_string(step) + " of a simulated ensemble has no model");
    }
    if (graph.step(step).is_decoupled) {
      return UnsupportedError("step " + std::to_string(step) + " (model '" + graph.step(step).model_name +
                              "') answers any number of times: that is not simulated");
    }
  }
  return OkStatus();
}

}  // namespace workbench
