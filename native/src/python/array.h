// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Vectors as numpy arrays, without a copy.
#pragma once

#include <pybind11/numpy.h>

#include <utility>
#include <vector>

namespace workbench {

template <typename T>
pybind11::array_t<T> ArrayOf(std::vector<T> values) {
  auto* const held = new std::vector<T>(std::move(values));
  const pybind11::capsule owner(held, [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return pybind11::array_t<T>(held->size(), held->data(), owner);
}

}  // namespace workbench
