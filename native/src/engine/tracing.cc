// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/tracing.h"

#include "base/clock.h"
#include "triton/core/tritonserver.h"

namespace workbench {

// Traces that ended. Shared by the engine and by those under way.
class TraceLog {
 public:
  static constexpr size_t kCapacity = 16384;

  void Add(TraceRecord record) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    if (records_.size() == kCapacity) {
      records_.pop_front();
      ++dropped_;
    }
    records_.push_back(std::move(record));
    if (records_.size() == 1) added_.NotifyOne();
  }
  bool Wait(uint64_t timeout_ns) EXCLUDES(mutex_) {
    const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
    MutexLock lock(&mutex_);
    while (records_.empty() && SteadyClock::Read() < deadline_ns) added_.WaitUntil(&mutex_, deadline_ns);
    return !records_.empty();
  }
  TracePage Take() EXCLUDES(mutex_) {
    TracePage page;
    MutexLock lock(&mutex_);
    page.records.assign(std::make_move_iterator(records_.begin()), std::make_move_iterator(records_.end()));
    records_.clear();
    page.dropped = std::exchange(dropped_, 0);
    return page;
  }

 private:
  Mutex mutex_;
  CondVar added_;
  std::deque<TraceRecord> records_ GUARDED_BY(mutex_);
  uint64_t dropped_ GUARDED_BY(mutex_) = 0;
};

namespace {

std::string NameOf(TraceActivity activity) {
  return TRITONSERVER_InferenceTraceActivityString(
      static_cast<TRITONSERVER_InferenceTraceActivity>(activity));
}

// Where what is heard of one request is kept.
class HeardTrace final : public TraceBridge {
 public:
  // level: of what is told of it. log: null where its door alone hears of it.
  HeardTrace(uint32_t level, std::shared_ptr<TraceLog> log) : level_(level), log_(std::move(log)) {}
  ~HeardTrace() override {
    if (log_ == nullptr || !has_ended_) return;
    if ((level_ & kTraceTimestamps) == 0) record_.activities.clear();
    log_->Add(std::move(record_));
  }
  HeardTrace(const HeardTrace&) = delete;
  HeardTrace& operator=(const HeardTrace&) = delete;

  void Report(const std::string& activity, uint64_t time_ns) override EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    record_.activities.emplace_back(activity, time_ns);
  }
  std::vector<TracePoint> points() const override EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    return record_.activities;
  }
  void AddTensor(TracedTensor tensor) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    record_.tensors.push_back(std::move(tensor));
  }
  void End(const InferenceTrace& trace) EXCLUDES(mutex_) {
    MutexLock lock(&mutex_);
    record_.id = trace.id();
    record_.parent_id = trace.parent_id();
    record_.model = trace.model_name();
    record_.version = trace.model_version();
    record_.request_id = trace.request_id();
    has_ended_ = true;
  }
  std::shared_ptr<HeardTrace> NewPart() const { return std::make_shared<HeardTrace>(level_, log_); }

 private:
  const uint32_t level_;
  const std::shared_ptr<TraceLog> log_;  // with the engine
  mutable Mutex mutex_;
  TraceRecord record_ GUARDED_BY(mutex_);
  bool has_ended_ GUARDED_BY(mutex_) = false;
};

class RecordedTrace final : public InferenceTrace {
 public:
  RecordedTrace(uint32_t level, uint64_t parent_id, std::shared_ptr<HeardTrace> heard)
      : InferenceTrace(level, parent_id), heard_(std::move(heard)) {}

  void OnRelease() override {
    heard_->End(*this);
    delete this;
  }
  InferenceTrace* SpawnChild() override { return new RecordedTrace(level(), id(), heard_->NewPart()); }

 protected:
  void OnActivity(TraceActivity activity, uint64_t time_ns) override {
    heard_->Report(NameOf(activity), time_ns);
  }
  void OnCustomActivity(const std::string& name, uint64_t time_ns) override { heard_->Report(name, time_ns); }
  void OnTensor(TraceActivity activity, const TraceTensor& tensor) override {
    TracedTensor kept{
        NameOf(activity), tensor.name, tensor.type, {tensor.shape, tensor.shape + tensor.rank}, {}};
    const bool is_readable = tensor.base != nullptr && tensor.place.type != MemoryType::kGpu;
    if (is_readable) kept.bytes.assign(static_cast<const char*>(tensor.base), tensor.byte_size);
    heard_->AddTensor(std::move(kept));
  }

 private:
  const std::shared_ptr<HeardTrace> heard_;  // with the door
};

}  // namespace

Tracing::Tracing() : log_(std::make_shared<TraceLog>()) {}

void Tracing::Set(const std::string& model, std::optional<TraceSettings> settings) {
  MutexLock lock(&mutex_);
  if (settings) {
    samplers_[model] = {*settings, 0};
  } else {
    samplers_.erase(model);
  }
  bool is_on = false;
  for (const auto& [name, sampler] : samplers_) is_on = is_on || sampler.settings.level != 0;
  is_on_.store(is_on, std::memory_order_relaxed);
}

uint32_t Tracing::Sample(const std::string& model) {
  MutexLock lock(&mutex_);
  auto found = samplers_.find(model);
  if (found == samplers_.end()) found = samplers_.find("");
  if (found == samplers_.end()) return 0;
  Sampler& sampler = found->second;
  TraceSettings& settings = sampler.settings;
  if (settings.level == 0 || settings.count == 0 || settings.rate == 0) return 0;
  if (++sampler.requests % settings.rate != 0) return 0;
  if (settings.count > 0) --settings.count;
  return settings.level;
}

Tracing::Begun Tracing::Begin(const std::string& model, bool is_wanted) {
  const uint32_t sampled = is_on() ? Sample(model) : 0;
  const uint32_t level = is_wanted ? sampled | kTraceTimestamps : sampled;
  if (level == 0) return {};
  auto heard = std::make_shared<HeardTrace>(sampled, sampled == 0 ? nullptr : log_);
  return {new RecordedTrace(level, 0, heard), heard};
}

bool Tracing::Wait(uint64_t timeout_ns) { return log_->Wait(timeout_ns); }

TracePage Tracing::Take() { return log_->Take(); }

}  // namespace workbench
