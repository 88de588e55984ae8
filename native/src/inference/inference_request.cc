// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/inference_request.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "base/patience.h"
#include "inference/raw_input.h"
#include "inference/request_validation.h"

namespace workbench {
namespace {

constexpr uint32_t kReleaseAll = 1;  // TRITONSERVER_REQUEST_RELEASE_ALL

Status UnknownInput(const ModelSignature& signature, const char* name) {
  std::string known;
  for (const TensorSpec& input : signature.inputs) known += (known.empty() ? "" : ", ") + input.name;
  return InvalidArgumentError("model '" + signature.name + "' has no input '" + name + "'; its inputs are " +
                              known);
}

// As many bytes as the other has; strings become empty ones, four bytes each.
size_t NullByteSize(const RequestInput& input) {
  if (input.type != DataType::kBytes) return input.byte_size;
  size_t byte_size = sizeof(uint32_t);
  for (int64_t dim : input.shape) byte_size *= static_cast<size_t>(dim);
  return byte_size;
}

}  // namespace

InferenceRequest::Ptr InferenceRequest::New(InferenceTarget* target, int64_t requested_version) {
  Ptr request(FreeList<InferenceRequest>::Take());
  target->AddReference();
  request->target_ = target;
  request->requested_version_ = requested_version;
  return request;
}

void InferenceRequest::Recycle::operator()(InferenceRequest* request) const {
  request->target_->RemoveReference();
  request->target_ = nullptr;
  request->id_.clear();
  request->flags_ = 0;
  request->priority_ = 0;
  request->timeout_us_ = 0;
  request->correlation_id_ = 0;
  request->correlation_text_.clear();
  request->RemoveAllInputs();
  request->given_inputs_.clear();
  request->is_null_ = false;
  request->requested_outputs_.clear();
  request->parameters_.Clear();
  request->on_release_.clear();
  request->sender_release_ = {nullptr, nullptr};
  request->delivery_ = ResponseDelivery();
  if (request->observer_) request->EndTrace();
  request->is_trace_decided_ = false;
  request->ForgetCancellation();
  request->parent_ = nullptr;
  FreeList<InferenceRequest>::Return(request);
}

void InferenceRequest::ForgetCancellation() {
  is_used_ = false;
  is_cancelled_.store(false, std::memory_order_relaxed);
  if (!is_cancellation_shared_) return;
  MutexLock lock(&cancellation_mutex_);
  cancellation_.reset();
  is_cancellation_shared_ = false;
}

void InferenceRequest::SetTrace(InferenceTrace* trace) {
  trace_ = std::make_shared<TraceHolder>(trace);
  observer_ = trace_;
  trace->SetRequest(signature().name, signature().version, id_);
}

void InferenceRequest::ForgetTrace() {
  trace_->Dismiss();
  trace_.reset();
  observer_.reset();
}

void InferenceRequest::EndTrace() {
  if (trace_) trace_->get()->Report(TraceActivity::kRequestEnd, SteadyClock::Read());
  observer_.reset();
  trace_.reset();
}

void InferenceRequest::TraceInputs(TraceActivity activity) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const RequestInput& input = inputs_[i];
    // In one piece, or not at all: a trace shows bytes, and copies none.
    const InputBuffer whole = input.buffers.size() == 1 ? input.buffers.front() : InputBuffer();
    trace_->get()->ReportTensor(activity, {input.spec->name.c_str(), input.type, whole.base, whole.byte_size,
                                           input.shape.data(), input.shape.size(), whole.place});
  }
}

void InferenceRequest::Cancel() {
  is_cancelled_.store(true, std::memory_order_release);
  MutexLock lock(&cancellation_mutex_);
  if (cancellation_) cancellation_->store(true, std::memory_order_release);
}

InferenceRequest::SharedCancellation InferenceRequest::ShareCancellation() {
  if (parent_ != nullptr) return parent_->request->ShareCancellation();
  MutexLock lock(&cancellation_mutex_);
  if (!cancellation_) cancellation_ = std::make_shared<std::atomic<bool>>(is_cancelled());
  is_cancellation_shared_ = true;
  return cancellation_;
}

InferenceRequest::SharedCancellation InferenceRequest::shared_cancellation() {
  if (!is_cancellation_shared_) return nullptr;
  MutexLock lock(&cancellation_mutex_);
  return cancellation_;
}

RequestInput* InferenceRequest::FindInput(const char* name) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    RequestInput& input = inputs_[i];
    if (input.spec->name.c_str() == name || input.spec->name == name) return &input;
  }
  for (RequestInput* input : given_inputs_) {
    if (input->spec->name == name) return input;
  }
  return nullptr;
}

void InferenceRequest::TakeAllGiven() {
  given_inputs_.clear();
  has_given_flags_ = false;
  given_id_ = 0;
  given_text_ = nullptr;
  states = nullptr;
  sequence = nullptr;
}

void InferenceRequest::BecomeNullOf(const InferenceRequest& other, const void* zeros) {
  is_null_ = true;
  rows = 0;
  outputs_ = other.outputs_;
  for (size_t i = 0; i < other.inputs_.size(); ++i) {
    const RequestInput& from = other.inputs_[i];
    RequestInput& to = inputs_.Append();
    to.spec = from.spec;
    to.type = from.type;
    to.original_shape = from.original_shape;
    to.shape = from.shape;
    to.byte_size = NullByteSize(from);
    to.buffers.resize(1);
    to.buffers[0].base = zeros;
    to.buffers[0].byte_size = to.byte_size;
  }
}

Status InferenceRequest::AddInput(const char* name, DataType type, const int64_t* shape, size_t rank) {
  const TensorSpec* spec = signature().FindInput(name);
  if (spec == nullptr) return UnknownInput(signature(), name);
  if (FindInput(name) != nullptr)
    return InvalidArgumentError("input '" + spec->name + "' is in the request already");
  RequestInput& input = inputs_.Append();
  input.spec = spec;
  input.type = type;
  input.original_shape.assign(shape, shape + rank);
  return OkStatus();
}

Status InferenceRequest::AddRawInput(const char* name) {
  if (!inputs_.empty()) {
    return InvalidArgumentError("raw input '" + std::string(name) + "' must be the request's only input");
  }
  RequestInput& input = inputs_.Append();
  // Whether the model has the one input that this takes is told by Prepare, as of every other input.
  static const TensorSpec* const kNone = new TensorSpec();
  input.spec = signature().inputs.empty() ? kNone : &signature().inputs.front();
  raw_name_ = name;
  return OkStatus();
}

// By the name that the sender uses, which is its own choice for a raw input.
RequestInput* InferenceRequest::FindSent(const char* name) {
  return is_raw() && raw_name_ == name ? &inputs_[0] : FindInput(name);
}

Status InferenceRequest::AppendInputData(const char* name, const void* base,
                                         const BufferAttributes& attributes) {
  RequestInput* input = FindSent(name);
  if (input == nullptr) return InvalidArgumentError("add input '" + std::string(name) + "' before its data");
  if (attributes.byte_size > 0) input->buffers.emplace_back(base, attributes);
  input->byte_size += attributes.byte_size;
  return OkStatus();
}

Status InferenceRequest::AppendPolicyData(const char* name, const char* policy, const InputBuffer& buffer) {
  RequestInput* input = FindSent(name);
  if (input == nullptr) return InvalidArgumentError("add input '" + std::string(name) + "' before its data");
  auto* found = const_cast<HostPolicyBuffers*>(input->FindPolicy(policy));
  if (found == nullptr) found = &input->for_policies.emplace_back(HostPolicyBuffers{policy, {}, 0});
  if (buffer.byte_size > 0) found->buffers.push_back(buffer);
  found->byte_size += buffer.byte_size;
  return OkStatus();
}

Status InferenceRequest::RemoveInputData(const char* name) {
  RequestInput* input = FindSent(name);
  if (input == nullptr) return InvalidArgumentError("the request has no input '" + std::string(name) + "'");
  input->Reset();
  return OkStatus();
}

Status InferenceRequest::RemoveInput(const char* name) {
  RequestInput* input = FindSent(name);
  if (input == nullptr) return InvalidArgumentError("the request has no input '" + std::string(name) + "'");
  if (raw_name_ == name) raw_name_.clear();
  std::swap(*input, inputs_[inputs_.size() - 1]);
  inputs_.RemoveLast();
  return OkStatus();
}

void InferenceRequest::RemoveAllInputs() {
  inputs_.Clear();
  raw_name_.clear();
}

Status InferenceRequest::AddRequestedOutput(const char* name) {
  const TensorSpec* spec = signature().FindOutput(name);
  if (spec == nullptr) {
    return InvalidArgumentError("model '" + signature().name + "' has no output '" + std::string(name) + "'");
  }
  if (std::find(requested_outputs_.begin(), requested_outputs_.end(), spec) != requested_outputs_.end())
    return OkStatus();  // as the original: it is asked for, once
  requested_outputs_.push_back(spec);
  return OkStatus();
}

// One that was not asked for is not missed.
void InferenceRequest::RemoveRequestedOutput(const char* name) {
  const auto is_named = [&](const TensorSpec* output) { return output->name == name; };
  requested_outputs_.erase(std::remove_if(requested_outputs_.begin(), requested_outputs_.end(), is_named),
                           requested_outputs_.end());
}

Status InferenceRequest::Rebind(InferenceTarget* target) {
  const ModelSignature& signature = target->signature();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const TensorSpec* spec = signature.FindInput(inputs_[i].spec->name.c_str());
    if (spec == nullptr) return UnknownInput(signature, inputs_[i].spec->name.c_str());
    inputs_[i].spec = spec;
  }
  for (const TensorSpec*& output : requested_outputs_) {
    const TensorSpec* spec = signature.FindOutput(output->name.c_str());
    if (spec == nullptr) {
      return InvalidArgumentError("model '" + signature.name + "' has no output '" + output->name +
                                  "' any more");
    }
    output = spec;
  }
  target->AddReference();
  target_->RemoveReference();
  target_ = target;
  return OkStatus();
}

void InferenceRequest::BeginInference(uint64_t serial, uint64_t now_ns) {
  in_flight_.pass = ResponseGate::Open();
  in_flight_.serial.store(serial, std::memory_order_relaxed);
  in_flight_.arrival_ns.store(now_ns, std::memory_order_relaxed);
  if (!id_.empty()) NoteId();
  in_flight_.target.store(target_, std::memory_order_release);
  arrival_ns = now_ns;
  execution = Execution();
  if (is_used_) ForgetCancellation();
}

// Word by word, so that whoever reads it meanwhile reads something.
void InferenceRequest::NoteId() {
  uint64_t words[kIdWords] = {};
  std::memcpy(words, id_.data(), std::min(id_.size(), sizeof words));
  for (size_t i = 0; i < kIdWords; ++i) in_flight_.id[i].store(words[i], std::memory_order_relaxed);
}

void InferenceRequest::EndInference() {
  ResponseGate::Close(in_flight_.pass);
  LeaveInference();
}

void InferenceRequest::LeaveInference() {
  in_flight_.target.store(nullptr, std::memory_order_relaxed);
  if (!id_.empty()) in_flight_.id[0].store(0, std::memory_order_relaxed);
}

std::vector<InFlightRequest> InferenceRequest::InFlightFor(const InferenceTarget* target) {
  std::vector<InFlightRequest> found;
  FreeList<InferenceRequest>::ForEach([&](const InferenceRequest* request) {
    const InFlight& record = request->in_flight_;
    if (record.target.load(std::memory_order_acquire) != target) return;
    char id[sizeof(uint64_t) * kIdWords + 1] = {};
    for (size_t i = 0; i < kIdWords; ++i) {
      const uint64_t word = record.id[i].load(std::memory_order_relaxed);
      std::memcpy(id + i * sizeof word, &word, sizeof word);
    }
    found.push_back({record.serial.load(std::memory_order_relaxed),
                     record.arrival_ns.load(std::memory_order_relaxed), id[0] != 0 ? id : ""});
  });
  return found;
}

Status InferenceRequest::Prepare() {
  if (requested_outputs_.empty()) {
    outputs_.clear();
    for (const TensorSpec& output : signature().outputs) outputs_.push_back(&output);
  } else {
    outputs_ = requested_outputs_;
  }
  if (is_raw()) RETURN_IF_ERROR(DeduceRawInput(signature(), inputs_.size(), &inputs_[0], &raw_length_));
  return ValidateInputs(signature(), &inputs_, this);
}

void InferenceRequest::Release(Ptr request, uint32_t flags) {
  const Patience patience;
  request->target_->OnRequestReleased(request.get(), flags);
  if (request->observer_ && (flags & kReleaseAll) != 0) request->EndTrace();
  request->LeaveInference();
  request->is_used_ = true;
  InferenceRequest* const raw = request.release();
  // A callback may delete the request, and what it holds of callbacks with it.
  const ReleaseCallback last = raw->sender_release_;
  if (raw->on_release_.size() == 1 && last.call == nullptr) {
    const ReleaseCallback only = raw->on_release_.back();
    raw->on_release_.clear();
    only.call(raw, flags, only.userp);
    return;
  }
  std::vector<ReleaseCallback> callbacks;
  callbacks.swap(raw->on_release_);
  for (auto callback = callbacks.rbegin(); callback != callbacks.rend(); ++callback) {
    callback->call(raw, flags, callback->userp);
  }
  if (last.call != nullptr) last.call(raw, flags, last.userp);
}

void InferenceRequest::Fail(Ptr request, const Status& status) {
  const Patience patience;
  InferenceResponse::Send(request->NewResponse(), kResponseFinal, status);
  Release(std::move(request), kReleaseAll);
}

}  // namespace workbench
