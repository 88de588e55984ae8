// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InstanceThread: executes what the scheduler hands out, with one instance, or in turn with those that share
// a device which they block. Owned by the model's InstanceSet.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "base/worker.h"
#include "model/idle_instances.h"
#include "model/model_instance.h"
#include "model/warmup.h"

namespace workbench {

class InstanceThread {
 public:
  // The scheduler and the place to wait outlive it.
  InstanceThread(Scheduler* scheduler, IdleInstances* idle) : scheduler_(scheduler), idle_(idle) {}
  ~InstanceThread() { Stop(); }

  // Before Start. Borrowed; outlives the thread.
  void Add(ModelInstance* instance) { instances_.push_back(instance); }
  bool serves(const ModelInstance* instance) const;
  // Places the thread, warms the instances up, and lets them serve; returns once they do, or with why they
  // do not.
  Status Start(const std::vector<WarmupSample>& warmup);
  // Ends after the execution under way; what waits is left to others.
  void Stop();
  // REQUIRES: IdleInstances stopped. Ends once nothing is ready.
  void Join() { worker_.Join(); }

 private:
  Status Prepare(const std::vector<WarmupSample>& warmup);
  void Serve();
  bool Work();
  bool WorkWith(ModelInstance* instance);
  bool TakeAndExecute(ModelInstance* instance);

  Scheduler* const scheduler_;
  IdleInstances* const idle_;
  std::vector<ModelInstance*> instances_;
  IdleInstances::Seat* seat_ = nullptr;  // null: not serving
  Worker worker_;
};

}  // namespace workbench
