// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CachingScheduler: answers from the response cache what was asked before, and hands on what was not. It
// stands before the scheduler of a model that asks for it; other models have none and pay nothing.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/mutex.h"
#include "events/event_sink.h"
#include "inference/model_statistics.h"
#include "scheduling/response_cache.h"
#include "scheduling/response_order.h"
#include "scheduling/scheduler.h"

namespace workbench {

class CachingScheduler final : public Scheduler {
 public:
  struct Options {
    uint64_t owner = 0;  // the loaded model, in keys
    uint16_t model_number = 0;
    bool preserve_ordering = false;
  };
  // What it borrows; outlives it.
  struct Context {
    ModelStatistics* statistics;
    EventSink* events;
    const Clock* clock;
    // Of a model composed of others: rises whenever one of them may have become another. Null: of any other
    // model.
    const std::atomic<uint64_t>* generation = nullptr;
  };

  // The cache is shared with the engine and its other models.
  CachingScheduler(const Options& options, std::unique_ptr<Scheduler> inner,
                   std::shared_ptr<ResponseCache> cache, const Context& context);

  std::optional<Refusal> Enqueue(RequestPtr request) override;
  bool Take(uint32_t instance, Batch* batch) override { return inner_->Take(instance, batch); }
  bool has_ready(uint32_t instance) const override { return inner_->has_ready(instance); }
  size_t queue_length() const override { return inner_->queue_length(); }
  std::vector<QueueLevel> queue_levels() const override { return inner_->queue_levels(); }
  StatisticsSnapshot statistics() const override { return inner_->statistics(); }
  void OnReleased(InferenceRequest* request) override { inner_->OnReleased(request); }
  Status Reschedule(InferenceRequest* request) override { return inner_->Reschedule(request); }
  void Reconfigure(SchedulingOptions options) override;
  size_t open_sequences() const override { return inner_->open_sequences(); }
  bool Continues(const InferenceRequest& request) const override { return inner_->Continues(request); }
  void CutSequences() override { inner_->CutSequences(); }
  void Flush() override { inner_->Flush(); }
  void Stop() override { inner_->Stop(); }

 private:
  struct Filling;

  std::optional<Refusal> HandOn(RequestPtr request, const CacheKey& key, uint64_t start_ns);
  void Answer(RequestPtr request, const CachedResponse& cached, uint64_t start_ns);
  void AppendEvent(const InferenceRequest& request, uint64_t start_ns, uint64_t end_ns, const Status& status);
  static void OnResponse(InferenceResponse* response, uint32_t flags, void* filling);
  void Keep(const Filling& filling);
  std::shared_ptr<ResponseOrder> order() const;
  uint64_t Owner() const;

  // Constant.
  const Options options_;
  const std::unique_ptr<Scheduler> inner_;
  const std::shared_ptr<ResponseCache> cache_;
  const Context context_;

  mutable Mutex mutex_;
  // With answers to come: hits must not overtake what was asked before. Null: any order will do.
  std::shared_ptr<ResponseOrder> order_ GUARDED_BY(mutex_);
};

}  // namespace workbench
