// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// QueueEntry: what a batching policy knows of a waiting request. The simulator queues bare entries, the
// scheduler requests; the policy cannot tell.
#pragma once

#include <cstdint>

namespace workbench {

struct QueueEntry {
  QueueEntry* next = nullptr;
  uint64_t arrival_ns = 0;
  // Entries whose signatures differ cannot share a batch. 0 where the model's shapes are fixed.
  uint64_t shape_signature = 0;
  uint32_t rows = 1;  // of the batch that it fills

  // How long after its arrival it could go at the earliest: it had to wait for others of its sequence.
  uint64_t held_back_ns = 0;

  // Kept by the queue that the entry waits in.
  QueueEntry* previous = nullptr;
  uint64_t deadline_ns = 0;  // when its patience ends; 0: never
  uint32_t segment = 0;
};

}  // namespace workbench
