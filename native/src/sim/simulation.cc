// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "sim/request_pool.h"
#include "sim/share_draw.h"
#include "sim/simulated_sequences.h"
#include "sim/simulation_tally.h"

namespace workbench {
namespace {

// Seeds of what is drawn beside arrivals differ from theirs.
constexpr uint64_t kPrioritySeed = 0x9027;
constexpr uint64_t kRowSeed = 0x3051;
constexpr uint64_t kStopMask = (1 << 14) - 1;  // how often a stop is looked for, in requests

SimulationTally::Options TallyOf(const SimulationOptions& options) {
  return {options.warmup_requests, options.model.service.overhead_ns, options.model.batching.max_batch_size,
          options.keeps_records};
}

// Model: SimulatedModel, SimulatedSequences or SimulatedEnsemble.
template <typename Model>
class Loop final : public SimulationSink {
 public:
  Loop(const SimulationOptions& options, const typename Model::Options& model)
      : options_(options),
        arrivals_(options.traffic, 0),
        priorities_(options.priority_shares, 0, options.traffic.seed ^ kPrioritySeed),
        rows_(options.row_shares, 1, options.traffic.seed ^ kRowSeed),
        tally_(TallyOf(options)),
        model_(model, this) {}

  SimulationResult Run(const std::atomic<bool>& stop) {
    while (true) {
      if (arrivals_.next_ns() < model_.next_ns()) {
        Arrive();
        if ((number_ & kStopMask) == 0 && stop.load(std::memory_order_relaxed)) break;
        if (model_.waiting() > options_.max_waiting) break;
      } else if (model_.next_ns() != SimulatedModel::kNever) {
        now_ns_ = model_.next_ns();
        model_.Advance(now_ns_);
      } else {
        break;
      }
    }
    SimulationResult result = tally_.Take(options_.model.instance_count);
    result.is_overloaded = model_.waiting() > options_.max_waiting;
    result.is_stopped = stop.load(std::memory_order_relaxed);
    if constexpr (std::is_same_v<Model, SimulatedEnsemble>) result.models = model_.TakeResults();
    return result;
  }

  void OnExecuted(const Execution& execution, uint64_t end_ns) override {
    tally_.OnExecuted(execution, end_ns);
    SimulatedRequest* request = execution.first;
    for (uint32_t i = 0; i < execution.count; ++i) {
      auto* const next = static_cast<SimulatedRequest*>(request->next);
      GiveBack(request, end_ns + options_.model.service.overhead_ns);
      request = next;
    }
  }

  void OnRefused(SimulatedRequest* request, uint64_t now_ns, bool timed_out) override {
    tally_.OnRefused(*request, timed_out);
    GiveBack(request, now_ns + options_.model.service.overhead_ns);
  }

 private:
  void Arrive() {
    now_ns_ = arrivals_.next_ns();
    arrivals_.Pop();
    SimulatedRequest* const request = pool_.Take();
    request->arrival_ns = now_ns_;
    request->number = number_++;
    request->rows = rows_.Next();
    request->priority = priorities_.Next();
    request->timeout_ns = options_.timeout_ns;
    if (options_.sequence_count > 0) JoinSequence(request);
    tally_.OnArrival(*request);
    model_.Arrive(request, now_ns_);
  }

  // Each next request belongs to the next of the sequences under way; one that ends makes room for another.
  void JoinSequence(SimulatedRequest* request) const {
    const uint64_t lane = request->number % options_.sequence_count;
    const uint64_t turn = request->number / options_.sequence_count;
    request->sequence_number = 1 + turn / options_.sequence_length * options_.sequence_count + lane;
    request->is_start = turn % options_.sequence_length == 0;
    request->is_end = turn % options_.sequence_length == options_.sequence_length - 1;
  }

  void GiveBack(SimulatedRequest* request, uint64_t answered_ns) {
    pool_.GiveBack(request);
    arrivals_.Return(std::max(answered_ns, now_ns_));
  }

  const SimulationOptions& options_;
  ArrivalStream arrivals_;
  ShareDraw priorities_;
  ShareDraw rows_;
  RequestPool pool_;
  SimulationTally tally_;
  Model model_;
  uint64_t now_ns_ = 0;
  uint64_t number_ = 0;
};

Status CheckShares(const std::vector<double>& shares) {
  double sum = 0;
  for (double share : shares) {
    if (!(share >= 0)) return InvalidArgumentError("a share of the requests can not be negative");
    sum += share;
  }
  if (!shares.empty() && !(sum > 0)) return InvalidArgumentError("shares of the requests are all zero");
  return OkStatus();
}

Status CheckTraffic(const SimulationOptions& options) {
  RETURN_IF_ERROR(Check(options.traffic));
  RETURN_IF_ERROR(CheckShares(options.priority_shares));
  return CheckShares(options.row_shares);
}

Status CheckModel(const SimulationOptions& options) {
  RETURN_IF_ERROR(Check(options.model.service));
  if (options.model.instance_count == 0) return InvalidArgumentError("a simulation needs an instance");
  if (options.row_shares.size() > std::max(1u, options.model.batching.max_batch_size)) {
    return InvalidArgumentError("a request has more rows than a batch may have");
  }
  const bool has_sequences = options.model.sequence.is_enabled();
  if (has_sequences != (options.sequence_count > 0)) {
    return InvalidArgumentError(
        "a model with sequences, and no other, needs the number of sequences under way");
  }
  if (options.sequence_length == 0) return InvalidArgumentError("a sequence has at least one request");
  return OkStatus();
}

}  // namespace

Result<SimulationResult> Simulate(const SimulationOptions& options, const std::atomic<bool>& stop) {
  RETURN_IF_ERROR(CheckTraffic(options));
  if (!options.ensemble.graph.steps.empty()) {
    RETURN_IF_ERROR(Check(options.ensemble));
    return Loop<SimulatedEnsemble>(options, options.ensemble).Run(stop);
  }
  RETURN_IF_ERROR(CheckModel(options));
  if (options.model.sequence.is_enabled()) return Loop<SimulatedSequences>(options, options.model).Run(stop);
  return Loop<SimulatedModel>(options, options.model).Run(stop);
}

}  // namespace workbench
