// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/bridge.h"

#include <pthread.h>

#include <atomic>

#include "engine/control_plane.h"
#include "engine/crash_report.h"
#include "engine/engine.h"
#include "load/arrival.h"

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
    [] { return is_forked.load(); },
    StartSimulations,
};

}  // namespace
}  // namespace workbench

const workbench::Bridge* TRITONWORKBENCH_Bridge(uint32_t version) {
  return version == workbench::kBridgeVersion ? &workbench::kBridge : nullptr;
}
