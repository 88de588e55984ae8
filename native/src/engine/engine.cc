// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/out_of_memory.h"
#include "base/patience.h"
#include "device/cuda_device.h"
#include "engine/engine_model.h"
#include "engine/gpu_metrics.h"
#include "engine/in_process_target.h"
#include "engine/metrics_page.h"
#include "engine/request_builder.h"
#include "engine/staged_inputs.h"
#include "metrics/custom_metric.h"
#include "metrics/text_serializer.h"
#include "model/library_cache.h"
#include "scheduling/local_cache.h"

namespace workbench {
namespace {

// How often a request is handed on to the model that replaced its own before the sender is told.
constexpr int kMaxRebinds = 16;

Result<std::shared_ptr<ResponseCache>> NewCache(const EngineOptions& options) {
  if (options.cache_library) {
    ASSIGN_OR_RETURN(auto cache,
                     LibraryCache::Create(options.cache_library->path, options.cache_library->config_json));
    return std::shared_ptr<ResponseCache>(std::move(cache));
  }
  if (options.cache_byte_size == 0) return std::shared_ptr<ResponseCache>();
  return std::shared_ptr<ResponseCache>(std::make_shared<LocalCache>(options.cache_byte_size));
}

EventLog::Options EventOptions(uint64_t byte_size) {
  EventLog::Options options;
  options.byte_size = byte_size;
  return options;
}

// What the cache may take is set aside for it.
HostMemory::Options MemoryOptions(const EngineOptions& options) {
  const uint64_t limit = options.memory_limit_byte_size;
  HostMemory::Options memory;
  memory.pool_byte_size = options.pool_byte_size;
  memory.limit_byte_size = limit != 0 ? limit - options.cache_byte_size : 0;
  memory.devices = {options.cuda_driver,
                    options.pinned_memory_pool_byte_size,
                    options.cuda_memory_pool_byte_sizes,
                    options.pool_growth_byte_size,
                    options.memory_event_byte_size,
                    options.has_strict_memory};
  return memory;
}

// A profiler tells by the environment which library it wants to be opened.
std::string InjectedProfiler() {
  const char* const path = std::getenv("NVTX_INJECTION64_PATH");
  return path != nullptr ? path : "";
}

Model* ModelOf(const InferenceRequest& request) { return static_cast<Model*>(request.target()); }

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Create(const EngineOptions& options) {
  if (options.event_byte_size != 0 && options.event_byte_size < sizeof(Event)) {
    return InvalidArgumentError("event_byte_size must hold one event at least, " +
                                std::to_string(sizeof(Event)) + " bytes, or be 0 for no log");
  }
  if (options.memory_limit_byte_size != 0 && options.cache_byte_size >= options.memory_limit_byte_size) {
    return InvalidArgumentError("a response cache of " + std::to_string(options.cache_byte_size) +
                                " bytes leaves nothing of the memory limit of " +
                                std::to_string(options.memory_limit_byte_size));
  }
  Patience::Install();
  return OrOutOfMemory([&]() -> Result<std::unique_ptr<Engine>> {
    ASSIGN_OR_RETURN(auto cache, NewCache(options));
    ASSIGN_OR_RETURN(auto timer, NewThreadTimer());
    return std::unique_ptr<Engine>(new Engine(options, std::move(cache), std::move(timer)));
  });
}

Engine::Engine(const EngineOptions& options, std::shared_ptr<ResponseCache> cache,
               std::unique_ptr<Timer> timer)
    : options_(options),
      events_(std::make_shared<EventLog>(EventOptions(options.event_byte_size))),
      memory_(std::make_shared<HostMemory>(MemoryOptions(options), events_)),
      completed_(std::make_shared<CompletedCalls>()),
      timer_(std::move(timer)),
      nvml_(options.metrics.has_gpus ? Nvml::Open() : nullptr),
      gpus_at_start_(nvml_ ? nvml_->Read() : std::vector<GpuReading>()),
      nvtx_(Nvtx::Open(InjectedProfiler())),
      cache_(std::move(cache)),
      gate_(options.rate_limits ? std::make_shared<RateLimitGate>(*options.rate_limits) : nullptr) {}

Engine::~Engine() {
  const Patience patience;
  for (Model::Ref& model : registry_.All()) {
    model->Retire();
    registry_.Withdraw(model.get());
  }
}

Result<std::shared_ptr<BackendBridge>> Engine::OpenBackend(const std::string& name, const std::string& path,
                                                           const std::string& config_json) {
  return OrOutOfMemory([&] { return OpenOrFind(name, path, config_json); });
}

Result<std::shared_ptr<BackendBridge>> Engine::OpenOrFind(const std::string& name, const std::string& path,
                                                          const std::string& config_json) {
  MutexLock lock(&backends_mutex_);
  std::weak_ptr<Backend>& slot = backends_[path];
  std::shared_ptr<Backend> backend = slot.lock();
  if (!backend) {
    ASSIGN_OR_RETURN(backend, Backend::Create({name, path, config_json}, *memory_));
    slot = backend;
  }
  return std::shared_ptr<BackendBridge>(std::make_shared<EngineBackend>(std::move(backend)));
}

Result<std::unique_ptr<ModelBridge>> Engine::CreateModel(ModelSpec spec, const BackendBridge* backend) {
  return OrOutOfMemory([&] { return NewModel(std::move(spec), backend); });
}

Result<std::unique_ptr<ModelBridge>> Engine::NewModel(ModelSpec spec, const BackendBridge* backend) {
  Model::Context context;
  context.clock = &clock_;
  context.timer = timer_.get();
  context.events = events_.get();
  context.memory = &memory_->resource();
  context.server_handle = this;
  context.nvtx = nvtx_.get();
  context.latencies = options_.metrics.latencies;
  context.host_policies = &options_.host_policies;
  context.cache = cache_;
  context.gate = gate_;
  context.publications = &publications_;
  context.load_number = ++loads_;
  context.number = registry_.NumberOf(spec.signature.name, spec.signature.version);
  const auto* const opened = static_cast<const EngineBackend*>(backend);
  if (opened == nullptr && !spec.ensemble) {
    return InvalidArgumentError("model '" + spec.signature.name + "' has neither a backend nor steps");
  }
  return std::unique_ptr<ModelBridge>(
      std::make_unique<EngineModel>(std::move(spec), opened != nullptr ? opened->backend() : nullptr, context,
                                    NewEnsembleBuilder(), memory_->tensors()));
}

EnsembleBuilder Engine::NewEnsembleBuilder() { return {this, &memory_->allocator(), events_.get(), &clock_}; }

void Engine::Publish(ModelBridge& bridge) {
  const Patience patience;
  auto& model = static_cast<EngineModel&>(bridge);
  const Model::Ref before = registry_.Publish(model.model());
  publications_.fetch_add(1, std::memory_order_acq_rel);
  model.AppendState(ModelState::kReady);
  if (before) before->Retire();
  FlushCache(before.get());
}

// What a model answered is of no use once it is gone; what an ensemble answered may be another model's by
// now.
void Engine::FlushCache(const Model* gone) {
  if (!cache_) return;
  if (gone != nullptr) cache_->Flush(gone->load_number());
  for (const Model::Ref& model : registry_.All()) {
    if (model->is_composed()) cache_->Flush(model->load_number());
  }
}

std::optional<CacheFigures> Engine::CacheStatistics() const {
  if (!cache_) return std::nullopt;
  return cache_->counts();
}

void Engine::Retire(ModelBridge& bridge, bool keeps_sequences) {
  const Patience patience;
  auto& model = static_cast<EngineModel&>(bridge);
  const Model::Ref registered = registry_.Withdraw(model.model(), keeps_sequences);
  model.model()->Retire();
  if (!keeps_sequences) model.model()->CutSequences();
  model.AppendState(ModelState::kUnloading);
  FlushCache(model.model());
}

Result<RequestPtr> Engine::NewRequest(std::string_view model_name, int64_t version) {
  Result<Model::Ref> model = registry_.Find(model_name, version);
  if (model.ok()) return InferenceRequest::New(model->get(), version);
  const Model::Ref lingering = registry_.FindLingering(model_name, version);
  if (!lingering) return model.status();
  return InferenceRequest::New(lingering.get(), version);
}

// One that goes on a sequence stays with the model on which that is open, replaced or not.
void Engine::FollowSequence(InferenceRequest* request) {
  if (ModelOf(*request)->Continues(*request)) return;
  const Model::Ref lingering =
      registry_.FindLingering(request->signature().name, request->requested_version(), request);
  // A model of other inputs is none to go on with: the current one tells why.
  if (lingering) (void)request->Rebind(lingering.get());
}

std::optional<Refusal> Engine::Infer(RequestPtr request) {
  const Patience patience;
  StartTrace(request.get());
  if (registry_.has_lingering()) FollowSequence(request.get());
  for (int attempt = 0;; ++attempt) {
    Model* const model = ModelOf(*request);
    model->AddReference();  // the request may be answered, and the model unloaded, before Enqueue returns
    const Model::Ref held(model);
    std::optional<Refusal> refusal = model->Enqueue(std::move(request));
    if (!refusal || attempt == kMaxRebinds) return refusal;
    request = std::move(refusal->request);
    if (!model->is_retired()) return Refusal{std::move(refusal->reason), std::move(request)};
    Result<Model::Ref> current = registry_.Find(request->signature().name, request->requested_version());
    if (!current.ok()) return Refusal{current.status(), std::move(request)};
    const Status status = request->Rebind(current->get());
    if (!status.ok()) return Refusal{status, std::move(request)};
  }
}

namespace {

bool IsCopied(const CallOptions& options) {
  return std::any_of(options.copies.begin(), options.copies.end(), [](uint64_t bytes) { return bytes != 0; });
}

}  // namespace

Result<std::shared_ptr<CallBridge>> Engine::Submit(const CallOptions& options) {
  return OrOutOfMemory([&]() -> Result<std::shared_ptr<CallBridge>> {
    if (!options.has_device_inputs && !IsCopied(options)) return Send(options, {});
    CallOptions staged = options;
    ASSIGN_OR_RETURN(std::vector<Buffer> copies, Stage(&staged));
    return Send(staged, std::move(copies));
  });
}

Result<std::vector<Buffer>> Engine::Stage(CallOptions* options) {
  ASSIGN_OR_RETURN(const Model::Ref model, registry_.Find(options->model, options->version));
  for (size_t reason = 0; reason < options->copies.size(); ++reason)
    model->own_statistics().CountCopy(static_cast<CopyReason>(reason), options->copies[reason]);
  return StageInputs(*memory_, model.get(), options);
}

Status Engine::CopyToHost(void* target, const void* source, size_t byte_size, MemoryPlace place) {
  ASSIGN_OR_RETURN(CudaDriver* const driver, memory_->devices().Driver());
  ASSIGN_OR_RETURN(const CudaDevice* const device, driver->Device(static_cast<int>(place.id)));
  return device->Copy(target, source, byte_size);
}

Result<std::shared_ptr<CallBridge>> Engine::Send(const CallOptions& options, std::vector<Buffer> copies) {
  ASSIGN_OR_RETURN(RequestPtr request, BuildRequest(*this, options));
  auto call = std::make_shared<Call>(memory_, options.is_queued ? completed_ : nullptr, options.request_id);
  call->Attach(request.get(), options.wants_device_outputs);
  if (!copies.empty()) call->Keep(std::move(copies));
  std::optional<Refusal> refusal = Infer(std::move(request));
  if (refusal) {
    call->Detach();
    return refusal->reason;
  }
  return std::shared_ptr<CallBridge>(std::move(call));
}

std::vector<std::shared_ptr<CallBridge>> Engine::Completed(uint64_t timeout_ns) {
  return completed_->Take(timeout_ns);
}

EventPage Engine::ReadEvents(uint64_t since, size_t limit) {
  EventPage page;
  const EventLog::ReadResult result = events_->Read(since, limit, &page.events);
  page.next_since = result.next_since;
  page.dropped = result.dropped;
  return page;
}

size_t Engine::in_flight() const {
  size_t sum = 0;
  for (const Model::Ref& model : registry_.All()) sum += model->in_flight();
  return sum;
}

std::string Engine::MetricsPage() {
  if (!options_.metrics.is_on) return "";
  std::vector<FamilySnapshot> families = ModelFamilies(registry_.All(), options_.metrics);
  Merge(PoolFamilies(memory_->Pools()), &families);
  if (options_.metrics.has_machine) Merge(machine_.Read(), &families);
  if (nvml_) Merge(GpuFamilies(nvml_->Read(), gpus_at_start_), &families);
  Merge(CustomMetrics().Read(), &families);
  return SerializeText(families);
}

Result<std::unique_ptr<Target>> Engine::NewTarget(std::vector<CallOptions> samples,
                                                  std::vector<PlannedRequest> plan) {
  if (samples.empty()) return InvalidArgumentError("a target needs a request to send");
  return OrOutOfMemory([&]() -> Result<std::unique_ptr<Target>> {
    // Refused now rather than at every request of the run.
    for (const CallOptions& sample : samples) {
      ASSIGN_OR_RETURN(RequestPtr probe, BuildRequest(*this, sample));
      RETURN_IF_ERROR(probe->Prepare());
    }
    ASSIGN_OR_RETURN(RequestPlan checked, RequestPlan::Create(std::move(plan), samples.size()));
    return std::unique_ptr<Target>(
        std::make_unique<InProcessTarget>(*this, memory_, std::move(samples), std::move(checked)));
  });
}

}  // namespace workbench
