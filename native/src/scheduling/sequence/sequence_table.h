// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceTable: open sequences by their ids. Borrows them, linked through themselves, so that sequences come
// and go without an allocation.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "scheduling/sequence/sequence.h"

namespace workbench {

class SequenceTable {
 public:
  size_t size() const { return size_; }
  // The sequence of that id, or null.
  Sequence* Find(const SequenceId& id) const;
  // REQUIRES: no sequence of that id is in the table.
  void Insert(Sequence* sequence);
  // REQUIRES: it is in the table.
  void Remove(Sequence* sequence);

 private:
  static size_t HashOf(const SequenceId& id);
  size_t BucketOf(const SequenceId& id) const { return HashOf(id) & (buckets_.size() - 1); }
  void Link(Sequence* sequence);
  void Grow();

  std::vector<Sequence*> buckets_ = std::vector<Sequence*>(64);  // their number is a power of 2
  size_t size_ = 0;
};

}  // namespace workbench
