// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EnsembleRun: one request on its way through an ensemble. It has no thread: it goes on where a step answers.
// It owns itself and the request; both end once every step has answered for the last time and was released.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "engine/ensemble_tensor.h"
#include "events/event_sink.h"
#include "inference/inference_request.h"
#include "inference/inference_statistics.h"
#include "scheduling/ensemble_progress.h"
#include "scheduling/scheduler.h"

namespace workbench {

// Whoever has the models that the steps run on. Any thread.
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  virtual Result<RequestPtr> NewRequest(std::string_view model, int64_t version) = 0;
  virtual std::optional<Refusal> Infer(RequestPtr request) = 0;
};

// What the runs of one ensemble share; outlives them.
struct EnsembleContext {
  EnsembleGraph graph;
  const ModelSignature* signature;  // the ensemble's own
  uint16_t model_number;
  StepRunner* runner;
  ResponseAllocator* allocator;  // of what goes from step to step
  EventSink* events;
  const Clock* clock;
  std::unique_ptr<InferenceStatistics> statistics;
};

class EnsembleRun {
 public:
  static void Start(EnsembleContext& context, RequestPtr request);

 private:
  using Place = EnsembleProgress::Place;
  struct StepCall;
  // What is to be done once the lock is released.
  using Launches = std::vector<std::unique_ptr<StepCall>>;

  EnsembleRun(EnsembleContext& context, RequestPtr request);
  ~EnsembleRun();

  void SettleInputs() REQUIRES(mutex_);
  Launches GoOn() REQUIRES(mutex_);
  std::unique_ptr<StepCall> NewCall(const Place& place) REQUIRES(mutex_);
  EnsembleTensor Take(uint32_t scope, uint32_t tensor) REQUIRES(mutex_);
  void Act(Launches launches);

  void Launch(std::unique_ptr<StepCall> call);
  Result<RequestPtr> NewStepRequest(StepCall* call);
  void CopyProperties(InferenceRequest* step) const;
  Status Explain(const StepCall& call, const Status& status) const;
  void EndUnsent(std::unique_ptr<StepCall> call, const Status& status);

  static void OnResponse(InferenceResponse* response, uint32_t flags, void* call);
  static void OnRelease(InferenceRequest* request, uint32_t flags, void* call);
  void Receive(StepCall* call, InferenceResponse::Ptr response, bool is_final);
  void Settle(StepCall* call, InferenceResponse::Ptr response) REQUIRES(mutex_);
  void WaitForRoom(uint32_t step);
  void EndPart(StepCall* call);
  void AppendStepEvent(const InferenceRequest& request, uint32_t step);

  void Deliver();
  bool DeliverNext() REQUIRES(mutex_);
  void SendAnswer(std::vector<EnsembleTensor> answer, uint32_t flags);
  Status Fill(InferenceResponse* response, std::vector<EnsembleTensor>* answer);
  void SendFinal(const Status& failure);

  void Fail(const Status& status) REQUIRES(mutex_);
  void Unreference();
  void Close();
  void Report() REQUIRES(mutex_);

  // Constant.
  EnsembleContext& context_;
  RequestPtr request_;              // given back by Close
  const std::vector<bool> wanted_;  // outputs, by their order in the ensemble
  const uint64_t start_ns_;

  // Self-synchronised.
  std::atomic<size_t> references_{1};  // calls that are not over, and Start

  Mutex mutex_;
  CondVar room_;
  EnsembleProgress progress_ GUARDED_BY(mutex_);
  std::vector<std::vector<EnsembleTensor>> tensors_
      GUARDED_BY(mutex_);  // by scope and tensor: what is to be taken
  std::deque<std::vector<EnsembleTensor>> answers_ GUARDED_BY(mutex_);  // complete, and not yet sent
  Status failure_ GUARDED_BY(mutex_);                                   // the first
  uint32_t running_ GUARDED_BY(mutex_) = 0;  // steps whose final answer is still to come
  uint32_t waiting_ GUARDED_BY(mutex_) = 0;  // threads in WaitForRoom
  bool is_delivering_ GUARDED_BY(mutex_) = false;
  bool is_final_sent_ GUARDED_BY(mutex_) = false;
  ComputeDurations durations_ GUARDED_BY(mutex_);  // of all steps
};

}  // namespace workbench
