// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/caching_scheduler.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "scheduling/cache_key.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL

Status Copy(const CachedResponse& cached, InferenceResponse* response) {
  for (const CachedResponse::Output& output : cached.outputs) {
    ASSIGN_OR_RETURN(InferenceResponse::Output* const copy,
                     response->AddSettledOutput(output.name, output.type, output.shape));
    RETURN_IF_ERROR(copy->Allocate(output.bytes.size(), MemoryPlace()));
    if (copy->buffer().place.type == MemoryType::kGpu) {
      return UnsupportedError("a cached output is wanted in GPU memory, and is kept in the processor's");
    }
    std::memcpy(copy->buffer().base, output.bytes.data(), output.bytes.size());
  }
  for (const Parameter& parameter : cached.parameters) response->AddParameter() = parameter;
  return OkStatus();
}

// Null where bytes lie in memory that cannot be read from here.
ResponseCache::Entry CopyOf(const InferenceResponse& response) {
  auto cached = std::make_shared<CachedResponse>();
  for (size_t i = 0; i < response.output_count(); ++i) {
    const InferenceResponse::Output& output = response.output(i);
    if (output.buffer().place.type == MemoryType::kGpu) return nullptr;
    const char* const bytes = static_cast<const char*>(output.buffer().base);
    cached->outputs.push_back(
        {output.name(), output.type(), output.shape(), {bytes, bytes + output.buffer().byte_size}});
  }
  for (size_t i = 0; i < response.parameter_count(); ++i) cached->parameters.push_back(response.parameter(i));
  return cached;
}

}  // namespace

// A request that was handed on: its answer is to be kept.
struct CachingScheduler::Filling {
  CachingScheduler* scheduler;  // with the model, which outlives its answers
  CacheKey key;
  ResponseDelivery delivery;
  uint64_t lookup_ns;
  ResponseCache::Entry copy;  // of the one response
  int responses;
};

CachingScheduler::CachingScheduler(const Options& options, std::unique_ptr<Scheduler> inner,
                                   std::shared_ptr<ResponseCache> cache, const Context& context)
    : options_(options),
      inner_(std::move(inner)),
      cache_(std::move(cache)),
      context_(context),
      order_(options.preserve_ordering ? std::make_shared<ResponseOrder>() : nullptr) {}

std::shared_ptr<ResponseOrder> CachingScheduler::order() const {
  MutexLock lock(&mutex_);
  return order_;
}

std::optional<Refusal> CachingScheduler::Enqueue(RequestPtr request) {
  const uint64_t start_ns = context_.clock->NowNs();
  const std::optional<CacheKey> key = CacheKeyOf(*request, Owner());
  if (!key) return inner_->Enqueue(std::move(request));
  const std::shared_ptr<ResponseOrder> order = this->order();
  const ResponseCache::Entry cached = cache_->Lookup(*key);
  if (cached) {
    if (order) order->Enroll(request.get());
    Answer(std::move(request), *cached, start_ns);
    return std::nullopt;
  }
  if (!order) return HandOn(std::move(request), *key, start_ns);
  order->Enroll(request.get());
  std::optional<Refusal> refusal = HandOn(std::move(request), *key, start_ns);
  if (refusal) order->Withdraw(refusal->request.get());
  return refusal;
}

uint64_t CachingScheduler::Owner() const {
  if (context_.generation == nullptr) return options_.owner;
  return options_.owner ^ (context_.generation->load(std::memory_order_acquire) << 32);
}

std::optional<Refusal> CachingScheduler::HandOn(RequestPtr request, const CacheKey& key, uint64_t start_ns) {
  // Until the final response.
  auto* const filling =
      new Filling{this, key, request->delivery(), context_.clock->NowNs() - start_ns, nullptr, 0};
  ResponseDelivery delivery = request->delivery();
  delivery.complete = &CachingScheduler::OnResponse;
  delivery.userp = filling;
  request->set_delivery(delivery);
  std::optional<Refusal> refusal = inner_->Enqueue(std::move(request));
  if (refusal) {
    refusal->request->set_delivery(filling->delivery);
    delete filling;
  }
  return refusal;
}

void CachingScheduler::Answer(RequestPtr request, const CachedResponse& cached, uint64_t start_ns) {
  InferenceResponse::Ptr response = request->NewResponse();
  Status status = Copy(cached, response.get());
  const uint64_t end_ns = context_.clock->NowNs();
  if (status.ok()) {
    context_.statistics->CountCacheHit(end_ns - request->arrival_ns, start_ns - request->arrival_ns,
                                       end_ns - start_ns);
  } else {
    context_.statistics->CountFailure(FailureReason::kOther, end_ns - request->arrival_ns);
  }
  AppendEvent(*request, start_ns, end_ns, status);
  request->execution.is_reported = true;
  InferenceResponse::Send(std::move(response), kResponseFinal, std::move(status));
  InferenceRequest::Release(std::move(request), kReleaseAll);
}

// No instance executes it: count is 0.
void CachingScheduler::AppendEvent(const InferenceRequest& request, uint64_t start_ns, uint64_t end_ns,
                                   const Status& status) {
  Event event;
  event.kind = EventKind::kRequest;
  event.arrival_ns = request.arrival_ns;
  event.start_ns = event.compute_start_ns = start_ns;
  event.compute_end_ns = event.end_ns = end_ns;
  event.id = request.serial();
  event.rows = static_cast<uint16_t>(std::min(request.rows, 65535u));
  event.model = options_.model_number;
  event.detail = static_cast<uint8_t>(BatchReason::kCached);
  event.status = static_cast<uint8_t>(status.code());
  event.priority = static_cast<uint8_t>(std::min<uint64_t>(request.priority(), 255));
  context_.events->Append(event);
}

void CachingScheduler::OnResponse(InferenceResponse* response, uint32_t flags, void* userp) {
  auto* const filling = static_cast<Filling*>(userp);
  const bool is_final = (flags & kResponseFinal) != 0;
  if (response != nullptr && ++filling->responses == 1 && response->error().ok())
    filling->copy = CopyOf(*response);
  const ResponseDelivery delivery = filling->delivery;
  if (is_final) {
    filling->scheduler->Keep(*filling);
    delete filling;
  }
  delivery.complete(response, flags, delivery.userp);
}

// A request that is answered by several responses, or by an error, is asked again.
void CachingScheduler::Keep(const Filling& filling) {
  const uint64_t start_ns = context_.clock->NowNs();
  if (filling.copy && filling.responses == 1) cache_->Insert(filling.key, options_.owner, filling.copy);
  context_.statistics->CountCacheMiss(filling.lookup_ns + context_.clock->NowNs() - start_ns);
}

void CachingScheduler::Reconfigure(SchedulingOptions options) {
  {
    MutexLock lock(&mutex_);
    if (options.preserve_ordering != (order_ != nullptr)) {
      order_ = options.preserve_ordering ? std::make_shared<ResponseOrder>() : nullptr;
    }
  }
  inner_->Reconfigure(std::move(options));
}

}  // namespace workbench
