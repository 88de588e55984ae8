// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// RecycledVector: a list whose elements keep their memory when it is cleared, so that a recycled request or
// response allocates nothing once it has been through a few lives. T has Reset().
#pragma once

#include <cstddef>
#include <deque>

namespace workbench {

template <typename T>
class RecycledVector {
 public:
  T& Append() {
    if (size_ == elements_.size()) elements_.emplace_back();
    T& element = elements_[size_++];
    element.Reset();
    return element;
  }
  void Clear() { size_ = 0; }
  void RemoveLast() { --size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t index) { return elements_[index]; }
  const T& operator[](size_t index) const { return elements_[index]; }

 private:
  std::deque<T> elements_;  // a deque: the address of an element never changes, backends hold on to it
  size_t size_ = 0;
};

}  // namespace workbench
