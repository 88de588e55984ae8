// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceList: sequences in order, linked through themselves; each is in one list at most. Borrows them.
#pragma once

#include "scheduling/sequence/sequence.h"

namespace workbench {

class SequenceList {
 public:
  Sequence* front() const { return front_; }
  bool empty() const { return front_ == nullptr; }

  void Append(Sequence* sequence) {
    sequence->previous = back_;
    sequence->next = nullptr;
    (back_ != nullptr ? back_->next : front_) = sequence;
    back_ = sequence;
  }
  void Remove(Sequence* sequence) {
    (sequence->previous != nullptr ? sequence->previous->next : front_) = sequence->next;
    (sequence->next != nullptr ? sequence->next->previous : back_) = sequence->previous;
    sequence->previous = sequence->next = nullptr;
  }

 private:
  Sequence* front_ = nullptr;
  Sequence* back_ = nullptr;
};

}  // namespace workbench
