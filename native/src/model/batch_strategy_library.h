// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// BatchStrategyLibrary: a batch strategy out of a shared object, through the five TRITONBACKEND_ModelBatch…
// functions. Owned by its model.
#pragma once

#include <memory>
#include <string>

#include "base/shared_library.h"
#include "scheduling/batch_strategy.h"
#include "triton/core/tritonbackend.h"

namespace workbench {

class BatchStrategyLibrary final : public BatchStrategy {
 public:
  // Opens the object and runs ModelBatcherInitialize for the model, which is borrowed.
  // INVALID_ARGUMENT where one of the five functions is missing.
  static Result<std::unique_ptr<BatchStrategyLibrary>> Create(const std::string& path,
                                                              TRITONBACKEND_Model* model);
  ~BatchStrategyLibrary() override;  // runs ModelBatcherFinalize

  void Begin() override;
  bool Include(const QueueEntry& entry) override;
  void End() override;

 private:
  explicit BatchStrategyLibrary(SharedLibrary library);
  Status CheckComplete() const;
  void LogFailure(const char* function, const Status& status) const;

  const SharedLibrary library_;
  decltype(&TRITONBACKEND_ModelBatcherInitialize) batcher_initialize_;
  decltype(&TRITONBACKEND_ModelBatcherFinalize) batcher_finalize_;
  decltype(&TRITONBACKEND_ModelBatchInitialize) batch_initialize_;
  decltype(&TRITONBACKEND_ModelBatchIncludeRequest) include_;
  decltype(&TRITONBACKEND_ModelBatchFinalize) batch_finalize_;
  TRITONBACKEND_Batcher* batcher_ = nullptr;
  void* batch_ = nullptr;  // the library's own of the batch that is being formed
  bool is_initialized_ = false;
  bool is_batch_open_ = false;  // the library began the batch, so it may be asked and must end it
};

}  // namespace workbench
