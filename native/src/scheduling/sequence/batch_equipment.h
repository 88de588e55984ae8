// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchEquipment: gives the requests of a batch what their backend sees beside the senders' inputs: controls,
// states, and null requests for gaps. Owned by the scheduler of sequences; any thread, each with a batch of
// its own.
#pragma once

#include "scheduling/scheduler.h"
#include "scheduling/sequence/control_inputs.h"
#include "scheduling/sequence/null_requests.h"

namespace workbench {

class BatchEquipment {
 public:
  // Borrows both, which outlive it.
  BatchEquipment(const SequenceOptions& options, bool is_batched, MemoryResource& memory)
      : controls_(options.controls, is_batched), nulls_(options.states, is_batched, memory) {}

  const ControlInputs& controls() const { return controls_; }
  // REQUIRES: every request is its sequence's only one that is out. Null pointers, but not the last, are
  // gaps. A batch for which there is no memory is answered, and empty afterwards.
  void Equip(Batch* batch);

 private:
  Status EquipAll(Batch* batch);
  Status GiveTo(InferenceRequest* request) const;
  Status FillGaps(Batch* batch);

  const ControlInputs controls_;
  NullRequests nulls_;
};

}  // namespace workbench
