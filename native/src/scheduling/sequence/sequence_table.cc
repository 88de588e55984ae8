// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/sequence_table.h"

namespace workbench {
namespace {

bool IsId(const Sequence& sequence, const SequenceId& id) {
  return sequence.number == id.number && sequence.text == id.text;
}

}  // namespace

size_t SequenceTable::HashOf(const SequenceId& id) {
  if (!id.text.empty()) return std::hash<std::string_view>()(id.text);
  // Ids are often multiples of something: spread them by multiplication.
  return static_cast<size_t>((id.number * 0x9E3779B97F4A7C15ull) >> 32);
}

Sequence* SequenceTable::Find(const SequenceId& id) const {
  Sequence* sequence = buckets_[BucketOf(id)];
  while (sequence != nullptr && !IsId(*sequence, id)) sequence = sequence->next_in_bucket;
  return sequence;
}

void SequenceTable::Link(Sequence* sequence) {
  Sequence*& head = buckets_[BucketOf(sequence->id())];
  sequence->next_in_bucket = head;
  head = sequence;
}

void SequenceTable::Insert(Sequence* sequence) {
  if (size_ >= buckets_.size()) Grow();
  Link(sequence);
  ++size_;
}

void SequenceTable::Remove(Sequence* sequence) {
  Sequence** place = &buckets_[BucketOf(sequence->id())];
  while (*place != sequence) place = &(*place)->next_in_bucket;
  *place = sequence->next_in_bucket;
  sequence->next_in_bucket = nullptr;
  --size_;
}

void SequenceTable::Grow() {
  std::vector<Sequence*> before(buckets_.size() * 2);
  before.swap(buckets_);
  for (Sequence* sequence : before) {
    while (sequence != nullptr) {
      Sequence* const next = sequence->next_in_bucket;
      Link(sequence);
      sequence = next;
    }
  }
}

}  // namespace workbench
