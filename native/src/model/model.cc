// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <algorithm>
#include <utility>

#include "base/patience.h"
#include "memory/memory_owner.h"
#include "model/config_completion.h"
#include "scheduling/caching_scheduler.h"
#include "scheduling/dynamic_scheduler.h"
#include "scheduling/sequence/sequence_scheduler.h"

namespace workbench {
namespace {

constexpr uint64_t kLookNs = 5'000'000;  // between looks for sequences that are still open

}  // namespace

Model::Model(Options options, std::shared_ptr<Backend> backend, const Context& context)
    : options_(std::move(options)),
      backend_(std::move(backend)),
      context_(context),
      created_ns_(context.clock->NowNs()) {}

Model::Ref Model::Create(Options options, std::shared_ptr<Backend> backend, const Context& context) {
  return Ref(new Model(std::move(options), std::move(backend), context));
}

Model::~Model() { Close(); }

Status Model::Initialize() {
  if (!backend_) return OkStatus();
  const ScopedMemoryOwner owner(context_.number);
  is_initializing_ = true;
  Status status = backend_->library().ModelInitialize(handle());
  is_initializing_ = false;
  is_initialized_ = status.ok();
  return status;
}

Status Model::SetConfig(const std::string& config_json) {
  if (!is_initializing_) {
    return UnsupportedError("TRITONBACKEND_ModelSetConfig works within TRITONBACKEND_ModelInitialize alone");
  }
  ASSIGN_OR_RETURN(options_.config_json, CompleteConfig(options_.config_json, config_json));
  told_config_ = config_json;
  return OkStatus();
}

Status Model::Start(Options options) {
  options_ = std::move(options);
  latencies_ = NewLatencies();
  RETURN_IF_ERROR(CreateStrategy());
  idle_ = std::make_unique<IdleInstances>();
  scheduler_ = Cached(NewScheduler());
  instances_ = std::make_unique<InstanceSet>(InstanceContext(), std::move(options_.warmup));
  NotePlaces();
  RETURN_IF_ERROR(instances_->Update(options_.instances));
  load_ns_ = context_.clock->NowNs() - created_ns_;
  return OkStatus();
}

Status Model::CreateStrategy() {
  if (options_.batch_strategy.empty()) return OkStatus();
  ASSIGN_OR_RETURN(strategy_, BatchStrategyLibrary::Create(options_.batch_strategy, handle()));
  options_.scheduling.batching.strategy = strategy_.get();
  return OkStatus();
}

std::unique_ptr<Scheduler> Model::Cached(std::unique_ptr<Scheduler> scheduler) {
  if (!options_.is_cached || !context_.cache) return scheduler;
  const CachingScheduler::Options options{context_.load_number, context_.number,
                                          options_.scheduling.preserve_ordering};
  const CachingScheduler::Context context{&statistics_, context_.events, context_.clock,
                                          is_composed() ? context_.publications : nullptr};
  return std::make_unique<CachingScheduler>(options, std::move(scheduler), context_.cache, context);
}

std::unique_ptr<Scheduler> Model::NewScheduler() const {
  if (options_.new_scheduler) return options_.new_scheduler(*this);
  if (!options_.scheduling.sequence.is_enabled()) {
    return std::make_unique<DynamicScheduler>(options_.scheduling, *context_.clock, *context_.timer, *idle_);
  }
  SequenceScheduler::Context context;
  context.clock = context_.clock;
  context.timer = context_.timer;
  context.runner = idle_.get();
  context.memory = context_.memory;
  context.instances.clear();
  for (uint32_t i = 0; i < options_.instances.size(); ++i) {
    if (!options_.instances[i].is_passive) context.instances.push_back(i);
  }
  if (context.instances.empty()) context.instances.push_back(0);  // nobody will ask
  context.is_batched = options_.signature.is_batched();
  context.events = context_.events;
  context.model_number = context_.number;
  return std::make_unique<SequenceScheduler>(options_.scheduling, context);
}

ModelInstance::Context Model::InstanceContext() {
  ModelInstance::Context context;
  context.model = this;
  context.backend = backend_.get();
  context.scheduler = scheduler_.get();
  context.idle = idle_.get();
  context.events = context_.events;
  context.clock = context_.clock;
  context.host_policies = context_.host_policies;
  context.gate = context_.gate;
  context.model_number = context_.number;
  context.latencies = latencies_.get();
  context.nvtx = context_.nvtx;
  context.max_batch_size = static_cast<uint32_t>(options_.signature.max_batch_size);
  return context;
}

Status Model::UpdateInstances(std::vector<ModelInstance::Options> instances) {
  RETURN_IF_ERROR(instances_->Update(instances));
  options_.instances = std::move(instances);
  NotePlaces();
  return OkStatus();
}

void Model::NotePlaces() {
  const auto is_on_gpu = [](const ModelInstance::Options& instance) {
    return instance.kind == TRITONSERVER_INSTANCEGROUPKIND_GPU;
  };
  runs_on_gpu_.store(std::any_of(options_.instances.begin(), options_.instances.end(), is_on_gpu),
                     std::memory_order_relaxed);
}

void Model::Reconfigure(SchedulingOptions scheduling) {
  const Patience patience;
  scheduling.batching.strategy = strategy_.get();
  scheduler_->Reconfigure(std::move(scheduling));
}

std::optional<Refusal> Model::Enqueue(RequestPtr request) {
  Status status = request->Prepare();
  if (!status.ok()) return Refusal{std::move(status), std::move(request)};
  // Counted before retirement is looked at: whoever retires first looks at the count after that.
  in_flight_.fetch_add(1, std::memory_order_seq_cst);
  if (is_retired() && !Continues(*request)) {
    RemoveInFlight();
    return Refusal{UnavailableError("model '" + signature().name + "' is unloading"), std::move(request)};
  }
  Number(request.get());
  if (latencies_ != nullptr) ObserveFirstResponse(request.get());
  if (InferenceTrace* const trace = request->trace()) {
    trace->Report(TraceActivity::kQueueStart, request->arrival_ns);
    if (trace->wants_tensors()) request->TraceInputs(TraceActivity::kTensorQueueInput);
  }
  std::optional<Refusal> refusal = scheduler_->Enqueue(std::move(request));
  if (refusal) {
    AppendUnreported(*refusal->request);
    refusal->request->EndInference();
    RemoveInFlight();
  }
  return refusal;
}

void Model::Number(InferenceRequest* request) {
  const uint64_t number = serial_.fetch_add(1, std::memory_order_relaxed) + 1;
  request->BeginInference((static_cast<uint64_t>(context_.number) << 48) | number, context_.clock->NowNs());
}

void Model::BeginInference(InferenceRequest* request) {
  AddInFlight();
  Number(request);
}

void Model::ObserveFirstResponse(InferenceRequest* request) {
  if (latencies_->first_response() == nullptr || !signature().is_decoupled) return;
  request->set_observer(std::make_shared<FirstResponseObserver>(request->arrival_ns, *context_.clock,
                                                                *latencies_, request->observer()));
}

void Model::OnRequestReleased(InferenceRequest* request, uint32_t flags) {
  if (!request->is_null()) {
    if (!request->execution.is_reported) {
      AppendUnreported(*request);
      if (request->execution.batch == 0) CountLost(*request);
    }
    if (request->sequence != nullptr) scheduler_->OnReleased(request);
  }
  RemoveInFlight();
}

Status Model::Reschedule(InferenceRequest* request) {
  return request->sequence != nullptr ? scheduler_->Reschedule(request)
                                      : InferenceTarget::Reschedule(request);
}

// A backend that reports no statistics leaves its requests to be timed here; one that never ran was refused.
void Model::AppendUnreported(const InferenceRequest& request) {
  Event event;
  event.kind = request.execution.batch != 0 ? EventKind::kRequest : EventKind::kRefused;
  event.arrival_ns = request.arrival_ns;
  event.end_ns = context_.clock->NowNs();
  event.start_ns = request.execution.start_ns != 0 ? request.execution.start_ns : event.end_ns;
  event.compute_start_ns = event.start_ns;
  event.compute_end_ns = event.end_ns;
  event.id = request.serial();
  event.batch = request.execution.batch;
  event.rows = static_cast<uint16_t>(request.rows);
  event.count = request.execution.count;
  event.model = context_.number;
  event.detail = static_cast<uint8_t>(request.execution.reason);
  event.priority = static_cast<uint8_t>(std::min<uint64_t>(request.priority(), 255));
  event.status = static_cast<uint8_t>(request.is_cancelled()         ? StatusCode::kCancelled
                                      : request.execution.batch == 0 ? StatusCode::kUnavailable
                                                                     : StatusCode::kOk);
  context_.events->Append(event);
}

// It was taken for inference and never reached a backend.
void Model::CountLost(const InferenceRequest& request) {
  const FailureReason reason = request.is_cancelled() ? FailureReason::kCancelled : FailureReason::kRejected;
  statistics_.CountFailure(reason, context_.clock->NowNs() - request.arrival_ns);
}

void Model::RemoveInFlight() {
  if (in_flight_.fetch_sub(1, std::memory_order_seq_cst) != 1 || !is_retired()) return;
  MutexLock lock(&drained_mutex_);
  drained_.NotifyAll();
}

void Model::Retire() {
  is_retired_.store(true, std::memory_order_seq_cst);
  if (scheduler_) scheduler_->Flush();
}

void Model::CutSequences() {
  if (scheduler_) scheduler_->CutSequences();
}

bool Model::Drain(uint64_t timeout_ns) {
  const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
  MutexLock lock(&drained_mutex_);
  for (;;) {
    const bool has_sequences = open_sequences() != 0;
    if (!has_sequences && in_flight_.load(std::memory_order_seq_cst) == 0) return true;
    const uint64_t now_ns = SteadyClock::Read();
    if (now_ns >= deadline_ns) return false;
    // Nobody tells of a sequence that ends.
    drained_.WaitUntil(&drained_mutex_,
                       has_sequences ? std::min(deadline_ns, now_ns + kLookNs) : deadline_ns);
  }
}

void Model::Close() {
  const Patience patience;
  is_retired_.store(true);
  if (idle_) idle_->Stop();
  if (instances_) instances_->Stop();
  // Both stay for as long as somebody holds the model: a sender may be on its way out of Enqueue.
  if (scheduler_) scheduler_->Stop();
  // A failing Finalize has nobody left to tell.
  if (is_initialized_) (void)backend_->library().ModelFinalize(handle());
  is_initialized_ = false;
}

std::unique_ptr<ModelLatencies> Model::NewLatencies() const {
  LatencyOptions options = context_.latencies;
  if (!options_.first_response_buckets_ms.empty())
    options.first_response_buckets_ms = options_.first_response_buckets_ms;
  return ModelLatencies::Create(options, metric_labels(), *context_.clock);
}

Labels Model::metric_labels() const {
  Labels labels = options_.metric_tags;
  labels.emplace_back("model", signature().name);
  labels.emplace_back("version", std::to_string(signature().version));
  return labels;
}

StatisticsSnapshot Model::statistics() const {
  StatisticsSnapshot sum = scheduler_ ? scheduler_->statistics() : StatisticsSnapshot();
  if (instances_) sum.Add(instances_->statistics());
  statistics_.AddTo(&sum);
  return sum;
}

}  // namespace workbench
