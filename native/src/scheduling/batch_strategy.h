// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchStrategy: a model's own word on which requests share a batch. The policy asks it after its own rules,
// so it can end a batch early but never make one larger. Owned by the model; asked by one thread at a time,
// while the scheduler's lock is held: it must not call into a server.
#pragma once

#include "inference/queue_entry.h"

namespace workbench {

class BatchStrategy {
 public:
  virtual ~BatchStrategy() = default;
  // A batch begins, with nothing in it.
  virtual void Begin() = 0;
  // Whether the entry joins the batch; called for entries in the order in which they would go.
  virtual bool Include(const QueueEntry& entry) = 0;
  // The batch was sent, or given up to be formed anew. Once for each Begin.
  virtual void End() = 0;
};

}  // namespace workbench
