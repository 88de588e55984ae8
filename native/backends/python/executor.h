// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Host and Executor: where a model's code runs, and one instance of it there.
#pragma once

#include <memory>
#include <string>

#include "workbench/backend.hpp"

namespace workbench::python_backend {

// One instance. Initialized by its host; finalized by its destructor.
class Executor {
 public:
  virtual ~Executor() = default;
  // On the instance's thread. Throws what fails the whole batch.
  virtual void Execute(Batch& batch) = 0;
  // After the batch's requests were released.
  virtual void Released() {}
};

// One version of a model.
class Host {
 public:
  virtual ~Host() = default;
  // The configuration as the model completes it.
  virtual std::string Complete(const std::string& config) = 0;
  virtual std::unique_ptr<Executor> NewInstance(const Instance& instance) = 0;
};

// Both throw an Error where the model's file cannot be used.
std::unique_ptr<Host> NewKernelHost(const Model& model, const std::string& path);
std::unique_ptr<Host> NewIsolatedHost(const Model& model, const std::string& path);

}  // namespace workbench::python_backend
