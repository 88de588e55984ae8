// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// NullTarget: answers at once. What a run on it takes is the generator's own.
#pragma once

#include "load/target.h"

namespace workbench {

class NullTarget final : public Target {
 public:
  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override {
    completions->Done(index, StatusCode::kOk);
  }
  uint64_t InFlight() const override { return 0; }
};

}  // namespace workbench
