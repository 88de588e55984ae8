// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// FreeList<T>: recycled objects. A thread takes from and returns to its own magazine; magazines trade chains
// of objects with one depot, so an object may be taken on one thread and returned on another at no more than
// a lock for every kChain of them. T has `T* next_free` and is default constructible.
//
// One list for each T in the process (state of the thread cannot be a member); objects in it are never given
// back.
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/patience.h"

namespace workbench {

template <typename T>
class FreeList {
 public:
  static T* Take() {
    Magazine& magazine = magazine_;
    if (magazine.head == nullptr) Refill(&magazine);
    T* object = magazine.head;
    magazine.head = object->next_free;
    --magazine.count;
    return object;
  }

  // Every object that was ever made, be it in a list or in use.
  template <typename Visitor>
  static void ForEach(const Visitor& visit) {
    Depot& shared = depot();
    MutexLock lock(&shared.mutex);
    for (T* object : shared.all) visit(object);
  }

  static void Return(T* object) {
    Magazine& magazine = magazine_;
    if (magazine.head == nullptr) Arm();
    object->next_free = magazine.head;
    magazine.head = object;
    if (++magazine.count >= kCapacity) HandOver(&magazine, kChain);
  }

 private:
  static constexpr int kCapacity = 64;
  static constexpr int kChain = 32;

  struct Magazine {  // trivial: reached without a guard
    T* head;
    int count;
  };
  struct Chain {
    T* head;
    int count;
  };
  struct Depot {
    Mutex mutex;
    std::vector<Chain> chains GUARDED_BY(mutex);
    std::vector<T*> all GUARDED_BY(mutex);
  };
  // Gives the magazine back when its thread ends.
  struct Returner {
    ~Returner() {
      if (magazine_.count > 0) HandOver(&magazine_, magazine_.count);
    }
  };

  // Never destroyed: threads may outlive static destruction.
  static Depot& depot() {
    static Depot* const depot = new Depot();
    return *depot;
  }

  // Whatever the magazine holds when its thread ends goes to the depot.
  static void Arm() {
    static thread_local Returner returner;
    (void)returner;
  }

  static void Refill(Magazine* magazine) {
    Arm();
    {
      Depot& shared = depot();
      MutexLock lock(&shared.mutex);
      if (!shared.chains.empty()) {
        magazine->head = shared.chains.back().head;
        magazine->count = shared.chains.back().count;
        shared.chains.pop_back();
        return;
      }
    }
    for (int i = 0; i < 4; ++i) Return(Make());
  }

  static T* Make() {
    std::unique_ptr<T> object(new T());
    Depot& shared = depot();
    MutexLock lock(&shared.mutex);
    shared.all.push_back(object.get());
    return object.release();
  }

  static void HandOver(Magazine* magazine, int count) {
    Chain chain{magazine->head, count};
    T* last = chain.head;
    for (int i = 1; i < count; ++i) last = last->next_free;
    magazine->head = last->next_free;
    last->next_free = nullptr;
    magazine->count -= count;
    const Patience patience;
    Depot& shared = depot();
    MutexLock lock(&shared.mutex);
    shared.chains.push_back(chain);
  }

  static inline thread_local Magazine magazine_{nullptr, 0};
};

}  // namespace workbench
