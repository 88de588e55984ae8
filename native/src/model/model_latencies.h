// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ModelLatencies: distributions of a model's latencies, kept where the server's metrics ask for them; else
// there is none of these, and counting a request costs a comparison with null. Owned by the model; any
// thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "inference/inference_statistics.h"
#include "inference/response_observer.h"
#include "metrics/histogram.h"
#include "metrics/summary.h"

namespace workbench {

struct LatencyOptions {
  bool has_summaries = false;
  std::vector<double> quantiles{0.5, 0.9, 0.95, 0.99, 0.999};
  bool has_first_response = false;
  std::vector<double> first_response_buckets_ms{100, 500, 2000, 5000};
};

class ModelLatencies {
 public:
  // Null where nothing is asked for. Borrows the clock.
  static std::unique_ptr<ModelLatencies> Create(const LatencyOptions& options, const Labels& labels,
                                                const Clock& clock);

  // A request was executed.
  void Observe(uint64_t arrival_ns, const ExecutionTimes& times);
  // The first response of a request that came at arrival_ns went out.
  void ObserveFirstResponse(uint64_t arrival_ns, uint64_t now_ns);

  struct Part {
    const char* name;  // of the family
    Summary summary;
  };
  // Null where there are no summaries.
  const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; }
  const Histogram* first_response() const { return first_response_.get(); }

 private:
  ModelLatencies() = default;

  std::vector<std::unique_ptr<Part>> parts_;  // request, queue, compute input, infer, output; or none
  std::unique_ptr<Histogram> first_response_;
};

// Times the first response of one request. Told of by nobody once the model is gone: it goes after its last
// answer.
class FirstResponseObserver final : public ResponseObserver {
 public:
  // next: sees the responses, too; may be null.
  FirstResponseObserver(uint64_t arrival_ns, const Clock& clock, ModelLatencies& latencies,
                        std::shared_ptr<ResponseObserver> next)
      : arrival_ns_(arrival_ns), clock_(clock), latencies_(latencies), next_(std::move(next)) {}

  void OnSend(const InferenceResponse& response) override {
    if (!is_told_.exchange(true)) latencies_.ObserveFirstResponse(arrival_ns_, clock_.NowNs());
    if (next_) next_->OnSend(response);
  }

 private:
  const uint64_t arrival_ns_;
  const Clock& clock_;
  ModelLatencies& latencies_;
  const std::shared_ptr<ResponseObserver> next_;  // with the request and its other responses
  std::atomic<bool> is_told_{false};
};

}  // namespace workbench
