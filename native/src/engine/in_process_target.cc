// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/in_process_target.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/free_list.h"
#include "engine/request_builder.h"
#include "engine/sending_list.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL

// A request under way: done once it was answered for the last time and released.
struct Sending {
  ListedRequest listed;
  std::shared_ptr<SendingList> list;  // shared with the target, which may be gone before the answer comes
  std::shared_ptr<HostMemory> memory;
  std::shared_ptr<Completions> completions;  // shared with the run, which may be over before the answer comes
  uint64_t index = 0;
  std::atomic<int> parts_left{2};
  std::atomic<StatusCode> status{StatusCode::kOk};
  Sending* next_free = nullptr;
};

void Finish(Sending* sending) {
  const std::shared_ptr<Completions> completions = std::move(sending->completions);
  const uint64_t index = sending->index;
  const StatusCode status = sending->status.load(std::memory_order_relaxed);
  sending->memory.reset();
  sending->list.reset();
  FreeList<Sending>::Return(sending);
  completions->Done(index, status);
}

void Part(Sending* sending) {
  if (sending->parts_left.fetch_sub(1, std::memory_order_acq_rel) == 1) Finish(sending);
}

void OnResponse(InferenceResponse* raw, uint32_t flags, void* userp) {
  auto* const sending = static_cast<Sending*>(userp);
  const InferenceResponse::Ptr response(raw);
  if (response && !response->error().ok())
    sending->status.store(response->error().code(), std::memory_order_relaxed);
  if ((flags & kResponseFinal) != 0) Part(sending);
}

void OnRelease(InferenceRequest* raw, uint32_t flags, void* userp) {
  if ((flags & kReleaseAll) == 0) return;
  auto* const sending = static_cast<Sending*>(userp);
  sending->list->Remove(sending->index, &sending->listed);
  RequestPtr(raw).reset();
  Part(sending);
}

Sending* NewSending(const std::shared_ptr<Completions>& completions, uint64_t index) {
  Sending* const sending = FreeList<Sending>::Take();
  sending->completions = completions;
  sending->index = index;
  sending->parts_left.store(2, std::memory_order_relaxed);
  sending->status.store(StatusCode::kOk, std::memory_order_relaxed);
  return sending;
}

std::vector<const CallOptions*> FirstOfEachModel(const std::vector<CallOptions>& samples) {
  std::vector<const CallOptions*> firsts;
  for (const CallOptions& sample : samples) {
    const bool is_known = std::any_of(firsts.begin(), firsts.end(), [&](const CallOptions* first) {
      return first->model == sample.model && first->version == sample.version;
    });
    if (!is_known) firsts.push_back(&sample);
  }
  return firsts;
}

}  // namespace

InProcessTarget::InProcessTarget(Engine& engine, std::shared_ptr<HostMemory> memory,
                                 std::vector<CallOptions> samples, RequestPlan plan)
    : engine_(engine),
      memory_(std::move(memory)),
      sending_(std::make_shared<SendingList>()),
      samples_(std::move(samples)),
      plan_(std::move(plan)),
      models_(FirstOfEachModel(samples_)) {}

InProcessTarget::~InProcessTarget() = default;

void InProcessTarget::Send(uint64_t index, const std::shared_ptr<Completions>& completions) {
  const PlannedRequest planned = plan_.At(index);
  Result<RequestPtr> request = BuildRequest(engine_, samples_[planned.sample]);
  if (!request.ok()) return completions->Done(index, request.status().code());
  if (planned.sequence != 0) {
    (*request)->set_correlation_id(planned.sequence);
    (*request)->set_flags(planned.flags);
  }
  Sending* const sending = NewSending(completions, index);
  sending->memory = memory_;
  sending->list = sending_;
  sending->listed.request = request->get();
  (*request)->set_delivery({&memory_->allocator(), nullptr, &OnResponse, sending});
  (*request)->AddReleaseCallback(&OnRelease, sending);
  sending_->Add(index, &sending->listed);
  std::optional<Refusal> refusal = engine_.Infer(std::move(*request));
  if (!refusal) return;
  sending_->Remove(index, &sending->listed);
  sending->status.store(refusal->reason.code(), std::memory_order_relaxed);
  Finish(sending);
}

void InProcessTarget::CancelAll() { sending_->CancelAll(); }

uint64_t InProcessTarget::InFlight() const {
  uint64_t count = 0;
  for (const CallOptions* of : models_) {
    Result<Model::Ref> model = engine_.registry().Find(of->model, of->version);
    if (model.ok()) count += (*model)->in_flight();
  }
  return count;
}

}  // namespace workbench
