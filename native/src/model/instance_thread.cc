// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/instance_thread.h"

#include <algorithm>

#include "base/patience.h"
#include "base/wake_up.h"
#include "memory/memory_owner.h"
#include "model/model.h"

namespace workbench {

bool InstanceThread::serves(const ModelInstance* instance) const {
  return std::find(instances_.begin(), instances_.end(), instance) != instances_.end();
}

Status InstanceThread::Start(const std::vector<WarmupSample>& warmup) {
  std::vector<uint32_t> indices;
  for (const ModelInstance* instance : instances_) indices.push_back(instance->index());
  seat_ = idle_->Join(std::move(indices));
  std::promise<Status> prepared;
  ASSIGN_OR_RETURN(worker_, Worker::Start("wb:" + instances_.front()->options().name, [&, this] {
                     const ScopedMemoryOwner owner(instances_.front()->model()->number());
                     WakePromptly();
                     const Status status = Prepare(warmup);
                     prepared.set_value(status);  // the last use of what the starter lends
                     if (status.ok()) Serve();
                   }));
  Status status = prepared.get_future().get();
  if (!status.ok()) Stop();
  return status;
}

Status InstanceThread::Prepare(const std::vector<WarmupSample>& warmup) {
  RETURN_IF_ERROR(PlaceThisThread(instances_.front()->placement()));
  for (ModelInstance* instance : instances_) {
    RETURN_IF_ERROR(WarmUp(warmup, instance->model(), instance));
  }
  return OkStatus();
}

void InstanceThread::Stop() {
  const Patience patience;
  if (seat_ == nullptr) return;
  idle_->Dismiss(seat_);
  worker_.Join();
  idle_->Leave(seat_);
  seat_ = nullptr;
}

void InstanceThread::Serve() {
  do {
    while (!seat_->is_leaving() && Work()) {
    }
  } while (idle_->WaitForWork(*scheduler_, seat_));
  for (ModelInstance* instance : instances_) {
    if (instance->rate_limit_seat() != nullptr) instance->rate_limit_seat()->Withdraw();
  }
}

// One batch for each instance that there is one for.
bool InstanceThread::Work() {
  bool has_worked = false;
  for (ModelInstance* instance : instances_) has_worked = WorkWith(instance) || has_worked;
  return has_worked;
}

// What waits for the rate limiter stays in the queue, where the batch keeps growing.
bool InstanceThread::WorkWith(ModelInstance* instance) {
  RateLimitSeat* const rate_limit = instance->rate_limit_seat();
  if (rate_limit == nullptr) return TakeAndExecute(instance);
  return rate_limit->Turn([&] { return scheduler_->has_ready(instance->index()); },
                          [&] { return TakeAndExecute(instance); }, instances_.size() == 1);
}

bool InstanceThread::TakeAndExecute(ModelInstance* instance) {
  Batch* const batch = instance->NextBatch();
  if (!scheduler_->Take(instance->index(), batch)) return false;
  seat_->OnWork(batch->requests.front()->arrival_ns);
  instance->Execute();
  return true;
}

}  // namespace workbench
