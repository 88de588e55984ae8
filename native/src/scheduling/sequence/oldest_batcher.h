// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// OldestBatcher: batches of the requests that wait longest, one of each sequence at a time. The sequences in
// the instance's slots are its candidates; their first requests wait in one queue, from which the same policy
// forms batches that serves models without sequences.
#pragma once

#include "scheduling/request_queue.h"
#include "scheduling/response_order.h"
#include "scheduling/sequence/sequence_batcher.h"

namespace workbench {

class OldestBatcher final : public SequenceBatcher {
 public:
  OldestBatcher(SequenceSlots& slots, uint32_t instance, const SchedulingOptions& options);

  void Note(Sequence* sequence, uint64_t now_ns) override;
  BatchDecision Decide(uint64_t now_ns) override;
  void Take(const BatchDecision& decision, uint64_t now_ns, SequenceTake* take) override;
  void TakeAll(EntryList* left) override;
  void Reconfigure(const SchedulingOptions& options) override;
  bool is_immediate() const override { return policy_.is_immediate(); }

 private:
  InferenceRequest* Pop();

  BatchPolicy policy_;
  RequestQueue queue_{QueueOptions()};
  std::shared_ptr<ResponseOrder> order_;  // with answers to come; null: any order will do
};

}  // namespace workbench
