// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Sum and difference of two vectors: the twin of add_sub, which is Python.
#include <workbench/backend.hpp>

struct AddSub {
  void Execute(workbench::Request& request) {
    const workbench::Input first = request.input("INPUT0");
    const auto one = first.as<float>();
    const auto two = request.input("INPUT1").as<float>();
    const auto sum = request.output("OUTPUT0").Allocate<float>(first.shape());
    const auto difference = request.output("OUTPUT1").Allocate<float>(first.shape());
    for (size_t i = 0; i < one.size(); ++i) {
      sum[i] = one[i] + two[i];
      difference[i] = one[i] - two[i];
    }
  }
};

WORKBENCH_BACKEND(AddSub)
