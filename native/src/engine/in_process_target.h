// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InProcessTarget: sends a load generator's requests to models of the same process, each made anew from one
// of the samples.
#pragma once

#include <memory>
#include <vector>

#include "engine/engine.h"
#include "load/request_plan.h"
#include "load/target.h"

namespace workbench {

class SendingList;

class InProcessTarget final : public Target {
 public:
  // The engine outlives it; the bytes of the samples are borrowed until the last request is answered.
  // REQUIRES: the plan is one of these samples, of which there are some.
  InProcessTarget(Engine& engine, std::shared_ptr<HostMemory> memory, std::vector<CallOptions> samples,
                  RequestPlan plan);
  ~InProcessTarget() override;

  void Send(uint64_t index, const std::shared_ptr<Completions>& completions) override;
  // Over all models of the samples.
  uint64_t InFlight() const override;
  // A request in a queue is answered by CANCELLED when its turn comes; a backend may ask whether it goes on
  // in vain.
  void CancelAll() override;

 private:
  Engine& engine_;
  const std::shared_ptr<HostMemory> memory_;    // shared with the engine: answers may come late
  const std::shared_ptr<SendingList> sending_;  // shared with the requests under way, for the same reason
  const std::vector<CallOptions> samples_;
  const RequestPlan plan_;
  const std::vector<const CallOptions*> models_;  // the first sample of each
};

}  // namespace workbench
