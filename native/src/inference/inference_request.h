// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferenceRequest: what a sender asks of a model. The sender owns it until it is taken for inference; the
// core (and the backend that executes it) owns it until it is released, which hands it back to the sender.
// One thread at a time, save Cancel and is_cancelled.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/free_list.h"
#include "base/mutex.h"
#include "base/recycled_vector.h"
#include "base/result.h"
#include "events/event.h"
#include "inference/in_flight_request.h"
#include "inference/inference_response.h"
#include "inference/inference_statistics.h"
#include "inference/inference_target.h"
#include "inference/inference_trace.h"
#include "inference/model_signature.h"
#include "inference/parameter.h"
#include "inference/queue_entry.h"
#include "inference/request_input.h"
#include "inference/sequence_state.h"

namespace workbench {

struct Sequence;  // of the scheduler that serves sequences

class InferenceRequest : public QueueEntry {
 public:
  struct Recycle {
    void operator()(InferenceRequest* request) const;
  };
  using Ptr = std::unique_ptr<InferenceRequest, Recycle>;
  // Gives the request back to the sender, who owns it again.
  using OnRelease = void (*)(InferenceRequest* request, uint32_t flags, void* userp);

  // What others may read of a request while it is in inference.
  static constexpr size_t kIdWords = 4;
  struct InFlight {
    std::atomic<const InferenceTarget*> target{nullptr};  // null: it is not
    std::atomic<uint64_t> serial{0};
    std::atomic<uint64_t> arrival_ns{0};
    std::atomic<uint64_t> id[kIdWords] = {};  // the id's first letters
    ResponseGate::Pass pass;                  // of the one in inference alone
  };

  // What a batch knows of itself, told to each of its requests when it starts.
  struct Execution {
    uint64_t start_ns = 0;  // 0: the backend's own start stamp says it
    uint32_t batch = 0;     // number of the execution on its instance
    uint16_t count = 0;     // requests in it
    BatchReason reason = BatchReason::kNone;
    bool is_reported = false;  // the backend has reported the request's statistics
  };

  // Kept by an ensemble for each request that it sends to a step. Outlives that request.
  struct Parent {
    InferenceRequest* request = nullptr;  // the ensemble's: who cancels it cancels this one
    ExecutionTimes times;                 // as the step's backend reported them
  };

  // requested_version: as the sender asked for it, -1 for whichever is the latest.
  static Ptr New(InferenceTarget* target, int64_t requested_version = -1);

  // --- the sender's side
  Status AddInput(const char* name, DataType type, const int64_t* shape, size_t rank);
  // The model's one input, whose type and shape follow from the bytes; name is the sender's own for it.
  Status AddRawInput(const char* name);
  Status AppendInputData(const char* name, const void* base, size_t byte_size, MemoryPlace place) {
    return AppendInputData(name, base, BufferAttributes{place, byte_size, nullptr});
  }
  Status AppendInputData(const char* name, const void* base, const BufferAttributes& attributes);
  // Bytes for instances of one host policy, beside those for everyone.
  Status AppendPolicyData(const char* name, const char* policy, const InputBuffer& buffer);
  Status RemoveInputData(const char* name);
  Status RemoveInput(const char* name);
  void RemoveAllInputs();
  Status AddRequestedOutput(const char* name);
  void RemoveRequestedOutput(const char* name);
  void RemoveAllRequestedOutputs() { requested_outputs_.clear(); }
  void set_id(const char* id) { id_ = id; }
  void set_flags(uint32_t flags) { flags_ = flags; }
  void set_priority(uint64_t priority) { priority_ = priority; }
  void set_timeout_us(uint64_t timeout_us) { timeout_us_ = timeout_us; }
  void set_correlation_id(uint64_t id) {
    correlation_id_ = id;
    correlation_text_.clear();
  }
  void set_correlation_id(const char* id) {
    correlation_id_ = 0;
    correlation_text_ = id;
  }
  Parameter& AddParameter() { return parameters_.Append(); }
  // Called at the next release, the last one added first.
  void AddReleaseCallback(OnRelease callback, void* userp) { on_release_.push_back({callback, userp}); }
  // Called at every release, after those.
  void set_release_callback(OnRelease callback, void* userp) { sender_release_ = {callback, userp}; }
  void set_delivery(const ResponseDelivery& delivery) { delivery_ = delivery; }
  // The trace is the request's until its release. REQUIRES: not in inference.
  void SetTrace(InferenceTrace* trace);
  // Whether it is traced is settled: nobody else asks.
  void set_trace_decided() { is_trace_decided_ = true; }
  // Whether it was decided for this sending; the next one is decided anew.
  bool TakeTraceDecision() { return std::exchange(is_trace_decided_, false); }
  // The request was not sent after all: the trace stays its maker's.
  void ForgetTrace();
  void set_parent(Parent* parent) { parent_ = parent; }
  void Cancel();
  // Checks inputs against the target's declaration and settles shapes, rows, outputs. Repeatable.
  Status Prepare();
  // Points at another target with the same names: a request made before its model was reloaded.
  Status Rebind(InferenceTarget* target);

  // --- the backend's side
  InferenceTarget* target() const { return target_; }
  int64_t requested_version() const { return requested_version_; }
  const ModelSignature& signature() const { return target_->signature(); }
  const std::string& id() const { return id_; }
  uint32_t flags() const { return has_given_flags_ ? given_flags_ : flags_; }
  uint64_t priority() const { return priority_; }
  uint64_t timeout_us() const { return timeout_us_; }
  uint64_t correlation_id() const { return given_id_ != 0 ? given_id_ : correlation_id_; }
  const std::string& correlation_text() const { return correlation_text_; }
  // As the model takes it: the sender's text, or a number's decimal text; null: as a number.
  const char* correlation_name() const {
    return given_text_ == nullptr && !correlation_text_.empty() ? correlation_text_.c_str() : given_text_;
  }
  // The sender's inputs, then those that the scheduler gave.
  size_t input_count() const { return inputs_.size() + given_inputs_.size(); }
  RequestInput& input(size_t index) {
    return index < inputs_.size() ? inputs_[index] : *given_inputs_[index - inputs_.size()];
  }
  RequestInput* FindInput(const char* name);
  size_t output_count() const { return outputs_.size(); }
  const TensorSpec& output(size_t index) const { return *outputs_[index]; }
  size_t parameter_count() const { return parameters_.size(); }
  const Parameter& parameter(size_t index) const { return parameters_[index]; }
  const ResponseDelivery& delivery() const { return delivery_; }
  // A flag that Cancel sets and that outlives the request: for those who answer after its release. Null until
  // shared.
  using SharedCancellation = std::shared_ptr<std::atomic<bool>>;
  SharedCancellation ShareCancellation();
  SharedCancellation shared_cancellation();
  bool is_cancelled() const {
    return is_cancelled_.load(std::memory_order_acquire) ||
           (parent_ != nullptr && parent_->request->is_cancelled());
  }
  // Of a step of an ensemble; else null.
  Parent* parent() const { return parent_; }

  // Null where the request is not traced.
  InferenceTrace* trace() const { return trace_ ? trace_->get() : nullptr; }
  void TraceInputs(TraceActivity activity);
  // Told of each response; set before the first is made. What was there before is its to tell, too.
  void set_observer(std::shared_ptr<ResponseObserver> observer) { observer_ = std::move(observer); }
  const std::shared_ptr<ResponseObserver>& observer() const { return observer_; }
  InferenceResponse::Ptr NewResponse() {
    InferenceResponse::Ptr response = InferenceResponse::New(signature(), id_, delivery_, in_flight_.pass);
    if (observer_) response->set_observer(observer_);
    return response;
  }
  const ResponseGate::Pass& pass() const { return in_flight_.pass; }
  // Hands the request back to its sender. The flags are those of the C interface.
  static void Release(Ptr request, uint32_t flags);
  // Has it executed again instead. Taken on success.
  Status Reschedule() { return target_->Reschedule(this); }
  // Answers with an error as the one, final response, and releases.
  static void Fail(Ptr request, const Status& status);

  // --- what a scheduler of sequences adds, and takes away before the sender gets the request back
  // Borrowed: they stay where they are until the request is released.
  void GiveInput(RequestInput* input) { given_inputs_.push_back(input); }
  // In place of what the sender said.
  void GiveFlags(uint32_t flags) {
    given_flags_ = flags;
    has_given_flags_ = true;
  }
  void GiveCorrelationId(uint64_t id) { given_id_ = id; }
  void GiveCorrelationText(const char* text) { given_text_ = text; }
  void TakeGivenInputs() { given_inputs_.clear(); }
  void TakeAllGiven();
  // States of the sequence that the request belongs to; null: the model has none.
  SequenceStates* states = nullptr;
  Sequence* sequence = nullptr;
  // Fills a gap in a batch: it has the inputs and outputs of another request, and nobody waits for it.
  bool is_null() const { return is_null_; }
  // zeros: as many as the largest input has bytes.
  void BecomeNullOf(const InferenceRequest& other, const void* zeros);

  // --- the core's bookkeeping
  void BeginInference(uint64_t serial, uint64_t now_ns = 0);
  // It was refused after all: the sender's again.
  void EndInference();
  uint64_t serial() const { return in_flight_.serial.load(std::memory_order_relaxed); }
  // Between being taken for inference and its release: what a backend may touch.
  bool is_in_inference() const { return in_flight_.target.load(std::memory_order_relaxed) != nullptr; }
  Execution execution;
  // Of every request that is in inference for that target now. Any thread.
  static std::vector<InFlightRequest> InFlightFor(const InferenceTarget* target);

  InferenceRequest* next_free = nullptr;

 private:
  friend class FreeList<InferenceRequest>;
  InferenceRequest() = default;
  RequestInput* FindSent(const char* name);
  bool is_raw() const { return !raw_name_.empty(); }
  void ForgetCancellation();
  void EndTrace();
  void NoteId();
  void LeaveInference();
  struct ReleaseCallback {
    OnRelease call;
    void* userp;
  };

  InferenceTarget* target_ = nullptr;  // referenced: the request keeps it in memory
  int64_t requested_version_ = -1;
  std::string id_;
  bool is_used_ = false;  // released before: what was cancelled then is not any more
  InFlight in_flight_;
  uint32_t flags_ = 0;
  uint64_t priority_ = 0;
  uint64_t timeout_us_ = 0;
  uint64_t correlation_id_ = 0;
  std::string correlation_text_;
  RecycledVector<RequestInput> inputs_;
  std::string raw_name_;     // of the raw input; empty where there is none
  uint32_t raw_length_ = 0;  // what goes before the bytes of a raw BYTES input
  std::vector<RequestInput*> given_inputs_;
  uint64_t given_id_ = 0;             // 0: the sender's counts
  const char* given_text_ = nullptr;  // null: the sender's counts
  uint32_t given_flags_ = 0;
  bool has_given_flags_ = false;
  bool is_null_ = false;
  std::vector<const TensorSpec*> requested_outputs_;  // as the sender named them
  std::vector<const TensorSpec*> outputs_;            // those, or all where none was named
  RecycledVector<Parameter> parameters_;
  std::vector<ReleaseCallback> on_release_;
  ReleaseCallback sender_release_{nullptr, nullptr};
  ResponseDelivery delivery_;
  bool is_trace_decided_ = false;
  std::shared_ptr<TraceHolder> trace_;          // with the responses; null: not traced
  std::shared_ptr<ResponseObserver> observer_;  // with the responses; null: nobody looks
  Parent* parent_ = nullptr;
  std::atomic<bool> is_cancelled_{false};
  Mutex cancellation_mutex_;
  SharedCancellation cancellation_ GUARDED_BY(cancellation_mutex_);  // with response factories
  bool is_cancellation_shared_ = false;
};

using RequestPtr = InferenceRequest::Ptr;

}  // namespace workbench
