// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// State: a tensor that a request hands to the next request of its sequence. Valid while the backend executes.
#pragma once

#include <cstring>
#include <type_traits>

#include "triton/core/tritonbackend.h"
#include "workbench/backend/error.hpp"
#include "workbench/backend/span.hpp"

namespace workbench {

class State {
 public:
  // The name must outlive the use of the state: a literal does.
  State(TRITONBACKEND_Request* request, const char* name);

  // Copies values; they are what the next request reads. The shape has the batch dimension, where the model
  // has one, as the input of the state has.
  template <typename Container>
  void Write(const Container& values, Shape shape) {
    using T = std::decay_t<decltype(*values.begin())>;
    const Span<T> elements = Allocate<T>(shape);
    if (values.size() != elements.size()) {
      throw InvalidArgument("a state is written with as many values as its shape has");
    }
    if (values.size() != 0) std::memcpy(elements.data(), values.data(), values.size() * sizeof(T));
    Update();
  }

  // Elements for the backend to fill, and to Update after that.
  template <typename T>
  Span<T> Allocate(Shape shape) {
    const auto count = static_cast<size_t>(ElementCount(shape));
    return {static_cast<T*>(Allocate(DataTypeOf<T>::value, shape, count * sizeof(T))), count};
  }
  void* Allocate(TRITONSERVER_DataType type, Shape shape, uint64_t byte_size);
  // What was allocated last is what the next request reads.
  void Update();

 private:
  TRITONBACKEND_Request* request_;
  const char* name_;
  TRITONBACKEND_State* state_ = nullptr;
};

}  // namespace workbench
