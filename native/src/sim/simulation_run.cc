// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation_run.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/out_of_memory.h"
#include "base/worker.h"

namespace workbench {
namespace {

class ThreadedRun final : public SimulationRun {
 public:
  explicit ThreadedRun(std::vector<SimulationOptions> cells)
      : cells_(std::move(cells)), results_(cells_.size()) {}
  ~ThreadedRun() override {
    Stop();
    for (Worker& worker : workers_) worker.Join();
  }

  // What was started when it fails is stopped by the destructor.
  Status Start(uint32_t thread_count) {
    const size_t count = std::min<size_t>(std::max(1u, thread_count), cells_.size());
    workers_.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(Worker worker, Worker::Start("wb:simulate", [this] { Work(); }));
      workers_.push_back(std::move(worker));
    }
    return OkStatus();
  }

  void Stop() override { stop_.store(true); }

  bool Wait(uint64_t timeout_ns) override {
    const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
    MutexLock lock(&mutex_);
    while (done_.load() < cells_.size() && SteadyClock::Read() < deadline_ns) {
      ended_.WaitUntil(&mutex_, deadline_ns);
    }
    return done_.load() == cells_.size();
  }

  size_t done() const override { return done_.load(); }

  std::vector<Result<SimulationResult>> Results() override {
    std::vector<Result<SimulationResult>> results;
    for (auto& result : results_) results.push_back(*std::move(result));
    return results;
  }

 private:
  void Work() {
    for (size_t i = next_.fetch_add(1); i < cells_.size(); i = next_.fetch_add(1)) {
      results_[i] = Simulate(cells_[i], stop_);
      MutexLock lock(&mutex_);
      done_.fetch_add(1);
      ended_.NotifyAll();
    }
  }

  // Constant.
  const std::vector<SimulationOptions> cells_;

  // Self-synchronised: each result has one writer, and is read once done_ tells of it.
  std::vector<std::optional<Result<SimulationResult>>> results_;
  std::atomic<size_t> next_{0};
  std::atomic<size_t> done_{0};
  std::atomic<bool> stop_{false};
  Mutex mutex_;
  CondVar ended_;

  std::vector<Worker> workers_;  // last: they use the rest
};

}  // namespace

Result<std::unique_ptr<SimulationRun>> StartSimulations(std::vector<SimulationOptions> cells,
                                                        uint32_t thread_count) {
  return OrOutOfMemory([&]() -> Result<std::unique_ptr<SimulationRun>> {
    auto run = std::make_unique<ThreadedRun>(std::move(cells));
    RETURN_IF_ERROR(run->Start(thread_count));
    return std::unique_ptr<SimulationRun>(std::move(run));
  });
}

}  // namespace workbench
