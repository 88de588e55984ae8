// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "load/generator.h"

#include <new>
#include <string>
#include <utility>

#include "base/wake_up.h"
#include "base/worker.h"
#include "load/arrival.h"
#include "load/observer.h"

namespace workbench {
namespace {

// 64 MiB of address space: a quarter of an hour of looks, of which only those taken are touched.
constexpr uint64_t kObservationCapacity = uint64_t{1} << 20;

// Making a thread takes about a tenth of this on a machine that is not busy.
constexpr uint64_t kLeadInNs = 2'000'000;

class Generator final : public LoadRun {
 public:
  Generator(LoadOptions options, std::unique_ptr<Target> target)
      : options_(std::move(options)),
        target_(std::move(target)),
        state_(std::make_shared<LoadState>(std::make_unique<SteadyPacer>(options_.spin_ns), RecordCapacity(),
                                           kObservationCapacity, options_.sender_count, kLeadInNs,
                                           options_.borrowed)) {}

  ~Generator() override {
    Stop();
    observer_pacer_.Stop();
    for (Worker& sender : senders_) sender.Join();
    observer_.Join();
  }

  // What was started when it fails is stopped by the destructor.
  Status Start() {
    senders_.reserve(options_.sender_count);
    for (uint32_t i = 0; i < options_.sender_count; ++i) {
      ASSIGN_OR_RETURN(Worker sender, Worker::Start("wb-load-" + std::to_string(i), [this] { SendAll(); }));
      senders_.push_back(std::move(sender));
    }
    if (options_.observe_every_ns > 0) {
      ASSIGN_OR_RETURN(observer_, Worker::Start("wb-load-observer", [this] { Observe(); }));
    }
    return OkStatus();
  }

  void Stop() override {
    state_->Stop();
    target_->CancelAll();
  }

  bool Wait(uint64_t timeout_ns) override { return state_->WaitForEnd(timeout_ns); }
  LoadProgress progress() const override { return state_->progress(options_.schedule_ns.size()); }
  uint64_t start_ns() const override { return state_->start_ns(); }
  std::vector<LoadRecord> Records() const override { return state_->recorder().Records(); }
  std::vector<Observation> Observations() const override { return state_->recorder().Observations(); }

 private:
  bool is_open_loop() const { return !options_.schedule_ns.empty(); }
  uint64_t RecordCapacity() const {
    return is_open_loop() ? options_.schedule_ns.size() : options_.request_limit;
  }

  void SendAll() {
    WakePromptly();
    is_open_loop() ? SendOpenLoop(options_, state_, *target_) : SendClosedLoop(options_, state_, *target_);
    state_->SenderEnded();
  }

  void Observe() { Observer(options_.observe_every_ns, observer_pacer_, *target_, *state_).Run(); }

  const LoadOptions options_;
  const std::unique_ptr<Target> target_;
  const std::shared_ptr<LoadState> state_;
  SteadyPacer observer_pacer_{0};  // it never spins: a look may be late, and says so
  std::vector<Worker> senders_;
  Worker observer_;
};

Status Check(const LoadOptions& options) {
  const bool is_open_loop = !options.schedule_ns.empty();
  if (is_open_loop == (options.concurrency > 0)) {
    return InvalidArgumentError("a run is driven either by a schedule or by a concurrency");
  }
  if (!is_open_loop && options.request_limit == 0)
    return InvalidArgumentError("request_limit must be positive");
  if (options.sender_count == 0) return InvalidArgumentError("sender_count must be positive");
  if (options.max_in_flight == 0) return InvalidArgumentError("max_in_flight must be positive");
  return CheckSchedule(options.schedule_ns);
}

}  // namespace

void SendOpenLoop(const LoadOptions& options, const std::shared_ptr<LoadState>& state, Target& target) {
  while (true) {
    const uint64_t index = state->Claim();
    if (index >= options.schedule_ns.size()) return;
    const int64_t intended_ns = options.schedule_ns[index];
    if (!state->pacer().WaitUntil(state->start_ns() + intended_ns)) return;
    if (!state->TakePlace(options.max_in_flight)) return;
    state->Sent(index, intended_ns);
    target.Send(index, state);
  }
}

void SendClosedLoop(const LoadOptions& options, const std::shared_ptr<LoadState>& state, Target& target) {
  const auto end_ns = static_cast<int64_t>(options.duration_ns);
  if (!state->pacer().WaitUntil(state->start_ns())) return;
  while (state->TakePlace(options.concurrency)) {
    const int64_t now_ns = state->SinceStart();
    const uint64_t index = state->Claim();
    if (index >= options.request_limit || (end_ns > 0 && now_ns >= end_ns)) return state->GiveBackPlace();
    state->Sent(index, now_ns);
    target.Send(index, state);
  }
}

Result<std::unique_ptr<LoadRun>> StartLoad(LoadOptions options, std::unique_ptr<Target> target) {
  RETURN_IF_ERROR(Check(options));
  try {
    auto generator = std::make_unique<Generator>(std::move(options), std::move(target));
    RETURN_IF_ERROR(generator->Start());
    return std::unique_ptr<LoadRun>(std::move(generator));
  } catch (const std::bad_alloc&) {
    return UnavailableError("there is no memory for the records of so many requests");
  }
}

}  // namespace workbench
