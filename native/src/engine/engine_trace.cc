// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// The half of an engine that decides which requests are traced.
#include <memory>
#include <utility>

#include "engine/engine.h"

namespace workbench {

std::shared_ptr<TraceBridge> Engine::BeginTrace(InferenceRequest* request, bool is_wanted) {
  Tracing::Begun begun = tracing_.Begin(request->signature().name, is_wanted);
  request->set_trace_decided();
  if (begun.trace != nullptr) request->SetTrace(begun.trace);
  return std::move(begun.heard);
}

// One that its sender traces is not sampled, nor one for which its door has asked.
void Engine::StartTrace(InferenceRequest* request) {
  const bool is_decided = request->TakeTraceDecision();
  if (tracing_.is_on() && request->trace() == nullptr && !is_decided) {
    (void)BeginTrace(request, /*is_wanted=*/false);
    request->TakeTraceDecision();
  }
  if (InferenceTrace* const trace = request->trace())
    trace->Report(TraceActivity::kRequestStart, clock_.NowNs());
}

}  // namespace workbench
