// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// DirectBatcher: the place of a sequence in every batch is its slot. A slot below the last of a batch whose
// sequence has nothing to say, or says it in another shape, is a gap.
#pragma once

#include "scheduling/sequence/direct_rule.h"
#include "scheduling/sequence/sequence_batcher.h"

namespace workbench {

class DirectBatcher final : public SequenceBatcher {
 public:
  DirectBatcher(SequenceSlots& slots, uint32_t instance, const SchedulingOptions& options);

  void Note(Sequence* sequence, uint64_t now_ns) override;
  BatchDecision Decide(uint64_t now_ns) override;
  void Take(const BatchDecision& decision, uint64_t now_ns, SequenceTake* take) override;
  void TakeAll(EntryList* left) override;
  void Reconfigure(const SchedulingOptions& options) override;
  bool is_immediate() const override { return rule_.is_immediate(); }

 private:
  void DropCancelled(uint32_t slot, uint64_t now_ns, EntryList* cancelled);
  InferenceRequest* TakeFrom(uint32_t slot, const InferenceRequest* first, uint64_t now_ns);
  void SetReady(Sequence* sequence, bool is_ready);
  bool IsReady(uint32_t slot) const;

  DirectRule rule_;
  uint32_t ready_count_ = 0;  // slots whose sequence has something to say
};

}  // namespace workbench
