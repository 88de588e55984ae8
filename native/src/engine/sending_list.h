// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SendingList: the requests of a run that are under way, so that they can be cancelled. Any thread. It is in
// parts, each with its lock, so that senders and instances seldom meet.
#pragma once

#include <array>
#include <cstdint>

#include "base/mutex.h"
#include "inference/inference_request.h"

namespace workbench {

// A place in the list, part of what the sender keeps for each request.
struct ListedRequest {
  InferenceRequest* request = nullptr;
  ListedRequest* previous = nullptr;
  ListedRequest* next = nullptr;
};

class SendingList {
 public:
  // REQUIRES: a request stays listed no longer than it exists; the index is the same for both calls.
  void Add(uint64_t index, ListedRequest* listed) {
    Part& part = PartOf(index);
    MutexLock lock(&part.mutex);
    listed->previous = nullptr;
    listed->next = part.first;
    if (part.first != nullptr) part.first->previous = listed;
    part.first = listed;
  }

  void Remove(uint64_t index, ListedRequest* listed) {
    Part& part = PartOf(index);
    MutexLock lock(&part.mutex);
    (listed->previous != nullptr ? listed->previous->next : part.first) = listed->next;
    if (listed->next != nullptr) listed->next->previous = listed->previous;
  }

  void CancelAll() {
    for (Part& part : parts_) {
      MutexLock lock(&part.mutex);
      for (ListedRequest* listed = part.first; listed != nullptr; listed = listed->next)
        listed->request->Cancel();
    }
  }

 private:
  struct alignas(64) Part {
    Mutex mutex;
    ListedRequest* first GUARDED_BY(mutex) = nullptr;
  };

  Part& PartOf(uint64_t index) { return parts_[index % parts_.size()]; }

  std::array<Part, 16> parts_;
};

}  // namespace workbench
