// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InProcessTarget: sends a load generator's requests to a model of the same process. Each is the same request
// anew.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "load/target.h"

namespace workbench {

class SendingList;

class InProcessTarget final : public Target {
 public:
  // The engine outlives it; the bytes of the request are borrowed until the last request is answered.
  InProcessTarget(Engine& engine, std::shared_ptr<HostMemory> memory, CallOptions request);
  ~InProcessTarget() override;

  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override;
  uint64_t InFlight() const override;
  // A request in a queue is answered by CANCELLED when its turn comes; a backend may ask whether it goes on
  // in vain.
  void CancelAll() override;

 private:
  Engine& engine_;
  const std::shared_ptr<HostMemory> memory_;    // shared with the engine: answers may come late
  const std::shared_ptr<SendingList> sending_;  // shared with the requests under way, for the same reason
  const CallOptions request_;
};

}  // namespace workbench
