// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: drawn scenarios, and the server's own scheduler run through one under a fake clock. What
// simulates it has to take the same steps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "inference/testing.h"
#include "scheduling/dynamic_scheduler.h"
#include "testing/fake_timer.h"

namespace workbench {

struct Arrival {
  uint64_t at_ns;
  uint32_t rows;
  uint64_t shape;
  uint64_t priority;
};

struct Scenario {
  SchedulingOptions options;
  uint32_t instance_count = 1;
  std::vector<uint64_t> service_ns;  // of a batch of 1, 2, ... rows
  std::vector<Arrival> arrivals;
};

// A batch that started, or (reason kNone) requests that were refused.
struct Step {
  uint64_t at_ns;
  BatchReason reason;
  std::vector<uint64_t> serials;
  bool operator==(const Step& other) const {
    return at_ns == other.at_ns && reason == other.reason && serials == other.serials;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Step& step) {
  out << step.at_ns << " ns, reason " << static_cast<int>(step.reason) << ":";
  for (uint64_t serial : step.serials) out << ' ' << serial;
  return out;
}

inline Scenario Draw(uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t bound) { return random() % bound; };
  Scenario drawn;
  BatchingOptions& batching = drawn.options.batching;
  batching.is_dynamic = below(8) != 0;
  batching.max_batch_size = static_cast<uint32_t>(1 + below(8));
  batching.max_queue_delay_ns = below(3) == 0 ? 0 : below(3'000'000);
  for (uint64_t n = below(3); n > 0; --n) {
    batching.preferred_batch_sizes.push_back(static_cast<uint32_t>(1 + below(batching.max_batch_size)));
  }
  QueueOptions& queue = drawn.options.queue;
  queue.priority_levels = static_cast<uint32_t>(below(3));
  queue.default_priority_level = queue.priority_levels;
  if (below(2) == 0) {
    queue.default_policy.default_timeout_ns = 1 + below(4'000'000);
    queue.default_policy.timeout_action = below(2) == 0 ? TimeoutAction::kReject : TimeoutAction::kDelay;
  }
  if (below(3) == 0) queue.default_policy.max_queue_size = static_cast<uint32_t>(1 + below(6));
  drawn.instance_count = static_cast<uint32_t>(1 + below(3));
  uint64_t service_ns = 100'000 + below(2'000'000);
  for (uint32_t rows = 0; rows < batching.max_batch_size; ++rows) {
    drawn.service_ns.push_back(service_ns += below(300'000));
  }
  uint64_t at_ns = 1'000'000'000;
  for (int i = 0; i < 60; ++i) {
    at_ns += 1 + below(below(5) == 0 ? 5'000'000 : 400'000);
    const uint32_t rows = below(3) == 0 ? static_cast<uint32_t>(1 + below(batching.max_batch_size)) : 1;
    drawn.arrivals.push_back({at_ns, rows, below(6) == 0 ? 1u : 0u, below(queue.priority_levels + 1)});
  }
  return drawn;
}

// The scheduler of the server, its instances busy for as long as the scenario says.
class ThreadedLoop final : public BatchRunner {
 public:
  explicit ThreadedLoop(const Scenario& scenario)
      : scenario_(scenario),
        free_at_ns_(scenario.instance_count, 0),
        completions_(timer_.Subscribe([this](uint64_t) { return OnCompletion(); })),
        scheduler_(scenario.options, clock_, timer_, *this) {}
  ~ThreadedLoop() override = default;

  std::vector<Step> Run() {
    for (const Arrival& arrival : scenario_.arrivals) {
      timer_.Advance(arrival.at_ns - clock_.NowNs());
      RequestPtr request = InferenceRequest::New(&target_);
      request->set_delivery({&sender_.allocator, nullptr, &ThreadedLoop::OnResponse, this});
      request->AddReleaseCallback(&ThreadedLoop::OnRelease, this);
      request->BeginInference(++serial_);
      request->arrival_ns = arrival.at_ns;
      request->rows = arrival.rows;
      request->shape_signature = arrival.shape;
      request->set_priority(arrival.priority);
      if (scheduler_.Enqueue(std::move(request))) {
        steps_.push_back({clock_.NowNs(), BatchReason::kNone, {serial_}});
      }
    }
    timer_.Advance(1'000'000'000);
    EXPECT_EQ(scheduler_.queue_length(), 0u);
    return steps_;
  }

  void WakeOne() override { TakeAll(); }
  void Wake(uint32_t) override { TakeAll(); }

 private:
  void TakeAll() {
    if (is_taking_) return;  // woken by what Take left: the loop comes to it
    is_taking_ = true;
    Batch batch;
    for (uint32_t i = 0; i < free_at_ns_.size(); ++i) {
      if (free_at_ns_[i] > clock_.NowNs() || !scheduler_.Take(i, &batch)) continue;
      uint32_t rows = 0;
      for (const InferenceRequest* request : batch.requests) rows += request->rows;
      free_at_ns_[i] = clock_.NowNs() + scenario_.service_ns[rows - 1];
      completions_->CallBy(free_at_ns_[i]);
      Step step{clock_.NowNs(), batch.reason, {}};
      for (InferenceRequest* request : batch.requests) step.serials.push_back(request->serial());
      steps_.push_back(std::move(step));
      is_executing_ = true;
      for (InferenceRequest* request : batch.requests) InferenceRequest::Release(RequestPtr(request), 1);
      is_executing_ = false;
    }
    is_taking_ = false;
  }
  uint64_t OnCompletion() {
    TakeAll();
    uint64_t next_ns = Timer::kNever;
    for (uint64_t at_ns : free_at_ns_) {
      if (at_ns > clock_.NowNs()) next_ns = std::min(next_ns, at_ns);
    }
    return next_ns;
  }
  static void OnResponse(InferenceResponse* raw, uint32_t, void*) { InferenceResponse::Ptr(raw).reset(); }
  // What is released outside an execution was refused.
  static void OnRelease(InferenceRequest* request, uint32_t, void* self_) {
    auto* const self = static_cast<ThreadedLoop*>(self_);
    if (!self->is_executing_) {
      self->steps_.push_back({self->clock_.NowNs(), BatchReason::kNone, {request->serial()}});
    }
    RequestPtr(request).reset();
  }

  const Scenario& scenario_;
  FakeTarget target_;
  FakeSender sender_;
  FakeClock clock_;
  FakeTimer timer_{clock_};
  std::vector<uint64_t> free_at_ns_;
  std::unique_ptr<Timer::Subscription> completions_;
  DynamicScheduler scheduler_;
  std::vector<Step> steps_;
  uint64_t serial_ = 0;
  bool is_executing_ = false;
  bool is_taking_ = false;
};

// What happens in one moment has no order; refusals come first here.
inline std::vector<Step> Ordered(std::vector<Step> steps) {
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    const auto key = [](const Step& step) {
      return std::make_tuple(step.at_ns, step.reason != BatchReason::kNone, step.serials.front());
    };
    return key(a) < key(b);
  });
  return steps;
}

}  // namespace workbench
