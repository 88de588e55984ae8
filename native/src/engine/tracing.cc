// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/tracing.h"

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
  std::deque<TraceRecord> records_ GUARDED_BY(mutex_);
  uint64_t dropped_ GUARDED_BY(mutex_) = 0;
};

namespace {

std::string NameOf(TraceActivity activity) {
  return TRITONSERVER_InferenceTraceActivityString(
      static_cast<TRITONSERVER_InferenceTraceActivity>(activity));
}

class RecordedTrace final : public InferenceTrace {
 public:
  RecordedTrace(uint32_t level, uint64_t parent_id, std::shared_ptr<TraceLog> log)
      : InferenceTrace(level, parent_id), log_(std::move(log)) {}

  void OnRelease() override {
    TraceRecord record;
    {
      MutexLock lock(&mutex_);
      record = std::move(record_);
    }
    record.id = id();
    record.parent_id = parent_id();
    record.model = model_name();
    record.version = model_version();
    record.request_id = request_id();
    log_->Add(std::move(record));
    delete this;
  }
  InferenceTrace* SpawnChild() override { return new RecordedTrace(level(), id(), log_); }

 protected:
  void OnActivity(TraceActivity activity, uint64_t time_ns) override {
    OnCustomActivity(NameOf(activity), time_ns);
  }
  void OnCustomActivity(const std::string& name, uint64_t time_ns) override {
    MutexLock lock(&mutex_);
    record_.activities.emplace_back(name, time_ns);
  }
  void OnTensor(TraceActivity activity, const TraceTensor& tensor) override {
    TracedTensor kept{
        NameOf(activity), tensor.name, tensor.type, {tensor.shape, tensor.shape + tensor.rank}, {}};
    const bool is_readable = tensor.base != nullptr && tensor.place.type != MemoryType::kGpu;
    if (is_readable) kept.bytes.assign(static_cast<const char*>(tensor.base), tensor.byte_size);
    MutexLock lock(&mutex_);
    record_.tensors.push_back(std::move(kept));
  }

 private:
  const std::shared_ptr<TraceLog> log_;  // with the engine
  Mutex mutex_;
  TraceRecord record_ GUARDED_BY(mutex_);
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

InferenceTrace* Tracing::Sample(const std::string& model) {
  MutexLock lock(&mutex_);
  auto found = samplers_.find(model);
  if (found == samplers_.end()) found = samplers_.find("");
  if (found == samplers_.end()) return nullptr;
  Sampler& sampler = found->second;
  TraceSettings& settings = sampler.settings;
  if (settings.level == 0 || settings.count == 0 || settings.rate == 0) return nullptr;
  if (++sampler.requests % settings.rate != 0) return nullptr;
  if (settings.count > 0) --settings.count;
  return new RecordedTrace(settings.level, 0, log_);
}

TracePage Tracing::Take() { return log_->Take(); }

}  // namespace workbench
