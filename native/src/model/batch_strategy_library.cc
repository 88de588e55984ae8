// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/batch_strategy_library.h"

#include <utility>

#include "base/log.h"
#include "inference/inference_request.h"
#include "model/library_call.h"

namespace workbench {

#define WB_FIND(name) library_.Find<decltype(name)>(#name)

BatchStrategyLibrary::BatchStrategyLibrary(SharedLibrary library)
    : library_(std::move(library)),
      batcher_initialize_(WB_FIND(TRITONBACKEND_ModelBatcherInitialize)),
      batcher_finalize_(WB_FIND(TRITONBACKEND_ModelBatcherFinalize)),
      batch_initialize_(WB_FIND(TRITONBACKEND_ModelBatchInitialize)),
      include_(WB_FIND(TRITONBACKEND_ModelBatchIncludeRequest)),
      batch_finalize_(WB_FIND(TRITONBACKEND_ModelBatchFinalize)) {}

#undef WB_FIND

Result<std::unique_ptr<BatchStrategyLibrary>> BatchStrategyLibrary::Create(const std::string& path,
                                                                           TRITONBACKEND_Model* model) {
  ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::Open(path));
  std::unique_ptr<BatchStrategyLibrary> strategy(new BatchStrategyLibrary(std::move(library)));
  RETURN_IF_ERROR(strategy->CheckComplete());
  RETURN_IF_ERROR(LibraryCall(strategy->batcher_initialize_, &strategy->batcher_, model));
  strategy->is_initialized_ = true;
  return strategy;
}

Status BatchStrategyLibrary::CheckComplete() const {
  const std::pair<bool, const char*> functions[] = {
      {batcher_initialize_ != nullptr, "TRITONBACKEND_ModelBatcherInitialize"},
      {batcher_finalize_ != nullptr, "TRITONBACKEND_ModelBatcherFinalize"},
      {batch_initialize_ != nullptr, "TRITONBACKEND_ModelBatchInitialize"},
      {include_ != nullptr, "TRITONBACKEND_ModelBatchIncludeRequest"},
      {batch_finalize_ != nullptr, "TRITONBACKEND_ModelBatchFinalize"},
  };
  std::string missing;
  for (const auto& [is_there, name] : functions) {
    if (!is_there) missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) return OkStatus();
  return InvalidArgumentError("batching strategy " + library_.path() + " lacks " + missing +
                              "; a strategy exports all five functions");
}

BatchStrategyLibrary::~BatchStrategyLibrary() {
  if (is_initialized_) LogFailure("ModelBatcherFinalize", LibraryCall(batcher_finalize_, batcher_));
}

void BatchStrategyLibrary::LogFailure(const char* function, const Status& status) const {
  if (status.ok()) return;
  Log::Process().Write(
      {LogLevel::kError, 0, "batch_strategy_library.cc", __LINE__,
       "batching strategy " + library_.path() + ": " + function + " failed: " + status.message(), ""});
}

void BatchStrategyLibrary::Begin() {
  batch_ = nullptr;
  const Status status =
      LibraryCall(batch_initialize_, static_cast<const TRITONBACKEND_Batcher*>(batcher_), &batch_);
  is_batch_open_ = status.ok();
  LogFailure("ModelBatchInitialize", status);
}

bool BatchStrategyLibrary::Include(const QueueEntry& entry) {
  if (!is_batch_open_) return false;
  bool is_included = false;
  // The interface's handles know no const; a strategy reads the request and leaves it as it is.
  auto* const request = const_cast<InferenceRequest*>(static_cast<const InferenceRequest*>(&entry));
  const Status status = LibraryCall(include_, ToHandle<TRITONBACKEND_Request>(request), batch_, &is_included);
  LogFailure("ModelBatchIncludeRequest", status);
  return status.ok() && is_included;
}

void BatchStrategyLibrary::End() {
  if (!is_batch_open_) return;
  is_batch_open_ = false;
  LogFailure("ModelBatchFinalize", LibraryCall(batch_finalize_, batch_));
}

}  // namespace workbench
