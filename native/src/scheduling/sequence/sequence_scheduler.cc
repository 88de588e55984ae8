// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_scheduler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/patience.h"
#include "scheduling/sequence/sequence_events.h"

namespace workbench {
namespace {

constexpr uint32_t kStart = 1;  // TRITONSERVER_REQUEST_FLAG_SEQUENCE_START
constexpr uint32_t kEnd = 2;    // TRITONSERVER_REQUEST_FLAG_SEQUENCE_END

uint64_t Earlier(uint64_t a_ns, uint64_t b_ns) {  // 0: never
  if (a_ns == 0 || b_ns == 0) return std::max(a_ns, b_ns);
  return std::min(a_ns, b_ns);
}

SequenceId IdOf(const InferenceRequest& request) {
  return {request.correlation_id(), request.correlation_text()};
}

SequenceSlots::Flags FlagsOf(const InferenceRequest& request) {
  return {(request.flags() & kStart) != 0, (request.flags() & kEnd) != 0};
}

SequenceSlots::Options SlotsOf(const SchedulingOptions& options, size_t instance_count) {
  const uint32_t candidates = options.sequence.max_candidate_sequences;
  const bool is_oldest = options.sequence.strategy == SequenceOptions::Strategy::kOldest;
  const uint32_t slots = is_oldest && candidates > 0 ? candidates : options.batching.max_batch_size;
  return {static_cast<uint32_t>(instance_count), slots, options.sequence.max_idle_ns};
}

std::vector<uint32_t> PositionsOf(const std::vector<uint32_t>& instances) {
  std::vector<uint32_t> positions(*std::max_element(instances.begin(), instances.end()) + 1);
  for (uint32_t i = 0; i < instances.size(); ++i) positions[instances[i]] = i;
  return positions;
}

void FailAll(EntryList* entries, const Status& status) {
  while (!entries->empty()) {
    auto* const request = static_cast<InferenceRequest*>(entries->TakeFront());
    InferenceRequest::Fail(RequestPtr(request), status);
  }
}

}  // namespace

SequenceScheduler::SequenceScheduler(const SchedulingOptions& options, const Context& context)
    : context_(context),
      options_(options.sequence),
      positions_(PositionsOf(context.instances)),
      equipment_(options_, context.is_batched, *context.memory),
      ready_(std::make_unique<Flag[]>(context.instances.size())),
      slots_(SlotsOf(options, context.instances.size())) {
  for (uint32_t i = 0; i < context.instances.size(); ++i) {
    batchers_.push_back(NewSequenceBatcher(slots_, i, options));
  }
  deadline_ = context.timer->Subscribe([this](uint64_t now_ns) { return OnDeadline(now_ns); });
}

SequenceScheduler::~SequenceScheduler() { Stop(); }

void SequenceScheduler::Stop() {
  const Patience patience;
  deadline_->Cancel();
  EntryList left;
  {
    MutexLock lock(&mutex_);
    is_stopped_ = true;
    for (auto& batcher : batchers_) batcher->TakeAll(&left);
    slots_.AbandonAll(&left);
    length_.store(0, std::memory_order_relaxed);
  }
  FailAll(&left, UnavailableError("the model was unloaded before the request could run"));
}

Status SequenceScheduler::NoStart(const InferenceRequest& request) const {
  const std::string id = request.correlation_text().empty() ? std::to_string(request.correlation_id())
                                                            : "'" + request.correlation_text() + "'";
  return InvalidArgumentError("model '" + request.signature().name + "' has no open sequence " + id +
                              ": its first request needs the START flag. It has ended, was idle for longer "
                              "than max_sequence_idle_microseconds, or never began");
}

// A request without an id is a sequence of its own where it may be executed several times.
void SequenceScheduler::GiveId(InferenceRequest* request) {
  request->GiveCorrelationId(next_own_id_++);
  request->GiveFlags(kStart);
}

Status SequenceScheduler::Admit(InferenceRequest* request, Outcome* outcome) {
  const std::string& model = request->signature().name;
  if (request->rows > 1) {
    return InvalidArgumentError("model '" + model +
                                "' serves sequences: a request is one of one sequence, and this "
                                "one has a batch of " +
                                std::to_string(request->rows));
  }
  if (options_.is_iterative && IdOf(*request).is_none()) GiveId(request);
  if (IdOf(*request).is_none()) {
    return InvalidArgumentError("model '" + model +
                                "' serves sequences: a request needs a correlation id that "
                                "is not 0 and not empty");
  }
  RETURN_IF_ERROR(equipment_.controls().Check(IdOf(*request), model));
  const SequenceSlots::Flags flags = FlagsOf(*request);
  if (is_flushing_ && flags.is_start)
    return UnavailableError("model '" + model + "' takes no new sequences: it is unloading");
  Sequence* const sequence = slots_.Enroll(IdOf(*request), flags);
  if (sequence == nullptr) return NoStart(*request);
  slots_.Append(sequence, request, flags, request->timeout_us() * 1000);
  length_.fetch_add(1, std::memory_order_relaxed);
  Enter(sequence, request->arrival_ns, outcome);
  outcome->look_again_ns = Earlier(outcome->look_again_ns, slots_.next_deadline_ns());
  return OkStatus();
}

std::optional<Refusal> SequenceScheduler::Enqueue(RequestPtr request) {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    Status status = Admit(request.get(), &outcome);
    if (!status.ok()) {
      request->TakeAllGiven();
      return Refusal{std::move(status), std::move(request)};
    }
    (void)request.release();  // the sequence's
  }
  Act(&outcome);
  return std::nullopt;
}

// Something changed for a sequence; it matters once the sequence has a slot.
void SequenceScheduler::Enter(Sequence* sequence, uint64_t now_ns, Outcome* outcome) {
  if (sequence->place != Sequence::Place::kSlot || is_stopped_) return;
  batchers_[sequence->instance]->Note(sequence, now_ns);
  Look(sequence->instance, now_ns, outcome);
}

BatchDecision SequenceScheduler::Decide(uint32_t position, uint64_t now_ns) {
  BatchDecision decision = batchers_[position]->Decide(now_ns);
  if (is_flushing_ && decision.count == 0) {
    decision = batchers_[position]->Decide(UINT64_MAX);
    if (decision.count > 0) decision.reason = BatchReason::kShutdown;
  }
  return decision;
}

void SequenceScheduler::Look(uint32_t position, uint64_t now_ns, Outcome* outcome) {
  const BatchDecision decision = Decide(position, now_ns);
  const bool is_ready = decision.count > 0;
  ready_[position].value.store(is_ready, std::memory_order_seq_cst);
  outcome->look_again_ns = Earlier(outcome->look_again_ns, decision.look_again_ns);
  if (!is_ready) return;
  const bool is_another = outcome->ready != Outcome::kNobody && outcome->ready != position;
  outcome->ready = is_another ? Outcome::kEverybody : position;
}

void SequenceScheduler::LookAtAll(uint64_t now_ns, Outcome* outcome) {
  for (uint32_t i = 0; i < batchers_.size(); ++i) Look(i, now_ns, outcome);
  outcome->look_again_ns = Earlier(outcome->look_again_ns, slots_.next_deadline_ns());
}

void SequenceScheduler::Act(Outcome* outcome) {
  if (outcome->ready == Outcome::kEverybody) {
    for (uint32_t instance : context_.instances) {
      if (has_ready(instance)) context_.runner->Wake(instance);
    }
  } else if (outcome->ready != Outcome::kNobody) {
    context_.runner->Wake(context_.instances[outcome->ready]);
  }
  if (outcome->look_again_ns > 0) deadline_->CallBy(outcome->look_again_ns);
  const size_t lost = outcome->cancelled.length() + outcome->expired.length();
  if (lost == 0) return;
  length_.fetch_sub(lost, std::memory_order_relaxed);
  FailAll(&outcome->cancelled, CancelledError("a request of the sequence was cancelled while it waited"));
  FailAll(&outcome->expired, UnavailableError("the time of the request's sequence in the backlog is up"));
}

void SequenceScheduler::Collect(uint32_t position, Batch* batch, Outcome* outcome) {
  SequenceBatcher& batcher = *batchers_[position];
  // What waits for a slot is told when it got one.
  const bool needs_time = !batcher.is_immediate() || slots_.backlog_length() > 0;
  const uint64_t now_ns = needs_time ? context_.clock->NowNs() : 0;
  SequenceTake take;
  take.requests = &batch->requests;
  batcher.Take(Decide(position, now_ns), now_ns, &take);
  batch->reason = take.reason;
  size_t left = 0;
  for (const InferenceRequest* request : batch->requests) left += request != nullptr;
  length_.fetch_sub(left, std::memory_order_relaxed);
  outcome->cancelled.TakeAllOf(&take.cancelled);
  ProvideStates(*batch);
  Look(position, now_ns, outcome);
  outcome->look_again_ns = Earlier(outcome->look_again_ns, slots_.next_deadline_ns());
}

bool SequenceScheduler::Take(uint32_t instance, Batch* batch) {
  batch->is_of_sequences = true;
  do {
    batch->requests.clear();
    Outcome outcome;
    {
      MutexLock lock(&mutex_);
      Collect(positions_[instance], batch, &outcome);
    }
    outcome.ready = Outcome::kNobody;  // it asks by itself
    Act(&outcome);
    if (context_.events != nullptr) {
      AppendSequenceEvents(*batch, instance, context_.model_number, context_.events);
    }
    equipment_.Equip(batch);
  } while (batch->requests.empty() && has_ready(instance));
  return !batch->requests.empty();
}

// Those of sequences that have none yet, from sequences that are over.
void SequenceScheduler::ProvideStates(const Batch& batch) {
  if (options_.states.empty()) return;
  for (InferenceRequest* request : batch.requests) {
    if (request == nullptr || request->sequence->states != nullptr) continue;
    SequenceStates* states = slots_.TakeUnusedStates();
    if (states == nullptr) {
      states_.push_back(
          std::make_unique<SequenceStates>(options_.states, context_.is_batched, *context_.memory));
      states = states_.back().get();
    }
    request->sequence->states = states;
  }
}

// A request of the sequence is done: the next may go, or another sequence.
void SequenceScheduler::Settle(Sequence* sequence, uint64_t now_ns, Outcome* outcome) {
  const bool has_slot = sequence->place == Sequence::Place::kSlot;
  slots_.Done(sequence, now_ns);
  if (!has_slot) return;  // and it may be another sequence's record by now
  // What is executed again and again is a sequence of its own: it is over once it is done.
  const bool is_over = sequence->has_ended() || (options_.is_iterative && sequence->waiting.empty());
  Sequence* const next = is_over && sequence->running == 0 ? slots_.Vacate(sequence) : sequence;
  if (next != nullptr) Enter(next, now_ns, outcome);
}

void SequenceScheduler::OnReleased(InferenceRequest* request) {
  Sequence* const sequence = request->sequence;
  request->TakeAllGiven();
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    Settle(sequence, context_.clock->NowNs(), &outcome);
    outcome.look_again_ns = Earlier(outcome.look_again_ns, slots_.next_deadline_ns());
  }
  Act(&outcome);
}

Status SequenceScheduler::Reschedule(InferenceRequest* request) {
  if (!options_.is_iterative) return Scheduler::Reschedule(request);
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    Sequence* const sequence = request->sequence;
    if (!sequence->is_open || is_stopped_) {
      return InvalidArgumentError("the request ends its sequence: it cannot be executed again");
    }
    const uint64_t now_ns = context_.clock->NowNs();
    request->TakeGivenInputs();
    request->sequence = nullptr;
    request->GiveFlags(0);
    request->arrival_ns = now_ns;
    slots_.Append(sequence, request, {}, 0);
    length_.fetch_add(1, std::memory_order_relaxed);
    slots_.Done(sequence, now_ns);
    Enter(sequence, now_ns, &outcome);
  }
  Act(&outcome);
  return OkStatus();
}

uint64_t SequenceScheduler::OnDeadline(uint64_t now_ns) {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    std::vector<Sequence*> entered;
    slots_.ReapIdle(now_ns, &entered);
    for (Sequence* sequence : entered) batchers_[sequence->instance]->Note(sequence, now_ns);
    slots_.ExpireBacklog(now_ns, &outcome.expired);
    LookAtAll(now_ns, &outcome);
  }
  const uint64_t next_ns = std::exchange(outcome.look_again_ns, 0);  // told to the timer by returning it
  Act(&outcome);
  return next_ns > 0 ? next_ns : Timer::kNever;
}

size_t SequenceScheduler::open_sequences() const {
  if (options_.is_iterative) return 0;  // they end by themselves
  MutexLock lock(&mutex_);
  return slots_.open_count();
}

bool SequenceScheduler::Continues(const InferenceRequest& request) const {
  if (options_.is_iterative || FlagsOf(request).is_start) return false;
  MutexLock lock(&mutex_);
  return slots_.IsOpen(IdOf(request));
}

void SequenceScheduler::CutSequences() {
  if (options_.is_iterative) return;
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    const uint64_t now_ns = context_.clock->NowNs();
    std::vector<Sequence*> entered;
    slots_.CloseAll(&entered);
    for (Sequence* sequence : entered) batchers_[sequence->instance]->Note(sequence, now_ns);
    LookAtAll(now_ns, &outcome);
  }
  Act(&outcome);
}

void SequenceScheduler::Reconfigure(SchedulingOptions options) {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    for (auto& batcher : batchers_) batcher->Reconfigure(options);
    slots_.set_max_idle_ns(options.sequence.max_idle_ns);
    LookAtAll(context_.clock->NowNs(), &outcome);
  }
  Act(&outcome);
}

void SequenceScheduler::Flush() {
  Outcome outcome;
  {
    MutexLock lock(&mutex_);
    is_flushing_ = true;
    LookAtAll(context_.clock->NowNs(), &outcome);
  }
  Act(&outcome);
}

}  // namespace workbench
