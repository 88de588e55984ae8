// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_batcher.h"

#include "scheduling/sequence/direct_batcher.h"
#include "scheduling/sequence/oldest_batcher.h"

namespace workbench {

std::unique_ptr<SequenceBatcher> NewSequenceBatcher(SequenceSlots& slots, uint32_t instance,
                                                    const SchedulingOptions& options) {
  if (options.sequence.strategy == SequenceOptions::Strategy::kOldest) {
    return std::make_unique<OldestBatcher>(slots, instance, options);
  }
  return std::make_unique<DirectBatcher>(slots, instance, options);
}

}  // namespace workbench
