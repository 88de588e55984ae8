// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/bridge.h"

#include <pthread.h>

#include <atomic>

#include "base/polling_doors.h"
#include "engine/control_plane.h"
#include "engine/crash_report.h"
#include "engine/engine.h"
#include "load/arrival.h"
#include "metrics/custom_metric.h"

namespace workbench {
namespace {

// Threads of the core do not exist in a child of fork, and its locks may be held for ever.
std::atomic<bool> is_forked{false};

Result<std::unique_ptr<EngineBridge>> NewEngine(const EngineOptions& options) {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { is_forked.store(true); });
  if (registered != 0) return InternalError("pthread_atfork failed");
  ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine, Engine::Create(options));
  return std::unique_ptr<EngineBridge>(std::move(engine));
}

Result<ModelSignature> SignatureOf(void* server_handle, const std::string& model, int64_t version) {
  ASSIGN_OR_RETURN(const Model::Ref found,
                   static_cast<Engine*>(server_handle)->registry().Find(model, version));
  return found->signature();
}

std::shared_ptr<TraceBridge> BeginTrace(void* server_handle, void* request, bool is_wanted) {
  auto* const traced = static_cast<InferenceRequest*>(request);
  return static_cast<Engine*>(server_handle)->BeginTrace(traced, is_wanted);
}

constexpr Bridge kBridge = {
    kBridgeVersion,
    NewEngine,
    SetControlPlane,
    StartLoad,
    DrawArrivals,
    InstallCrashReport,
    [](bool is_attached) { is_attached ? Log::Process().Attach() : Log::Process().Detach(); },
    [](uint64_t timeout_ns) { return Log::Process().Take(timeout_ns); },
    [] { return Log::Process().settings(); },
    [](const LogSettings& settings) { return Log::Process().Set(settings); },
    SignatureOf,
    [](void* server_handle) { return static_cast<const Engine*>(server_handle)->is_tracing(); },
    BeginTrace,
    [](void* request) {
      return static_cast<const Model*>(static_cast<InferenceRequest*>(request)->target())->runs_on_gpu();
    },
    [](void* server_handle, int64_t ordinal, const std::string& handle, uint64_t byte_size) {
      return static_cast<Engine*>(server_handle)->OpenDeviceRegion(ordinal, handle, byte_size);
    },
    [] { return CustomMetrics().Read(); },
    [] { return is_forked.load(); },
    StartSimulations,
    &polling_doors,
};

}  // namespace
}  // namespace workbench

const workbench::Bridge* TRITONWORKBENCH_Bridge(uint32_t version) {
  return version == workbench::kBridgeVersion ? &workbench::kBridge : nullptr;
}
