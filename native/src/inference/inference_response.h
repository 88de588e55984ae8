// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferenceResponse: the outputs, or the error, of one answer. Made by a backend, completed by sending, owned
// by the receiver from then on. One thread at a time. It holds copies of names, so it may outlive its model.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error_object.h"
#include "base/free_list.h"
#include "base/recycled_vector.h"
#include "base/status.h"
#include "inference/model_signature.h"
#include "inference/parameter.h"
#include "inference/response_allocator.h"
#include "inference/response_gate.h"
#include "inference/response_observer.h"

namespace workbench {

class InferenceResponse {
 public:
  struct Recycle {
    void operator()(InferenceResponse* response) const;
  };
  using Ptr = std::unique_ptr<InferenceResponse, Recycle>;

  class Output {
   public:
    void Reset();
    const std::string& name() const { return name_; }
    DataType type() const { return type_; }
    const std::vector<int64_t>& shape() const { return shape_; }
    const OutputBuffer& buffer() const { return buffer_; }
    BufferAttributes* attributes() { return &buffer_; }
    // The label of that class, or null.
    const char* label(size_t class_index) const {
      const bool is_labelled = labels_ != nullptr && class_index < labels_->size();
      return is_labelled && !(*labels_)[class_index].empty() ? (*labels_)[class_index].c_str() : nullptr;
    }
    // Asks the receiver's allocator for byte_size bytes, preferably at place. ALREADY_EXISTS when called
    // twice.
    Status Allocate(size_t byte_size, MemoryPlace place);
    // Takes over the bytes of an output of another response. REQUIRES: both responses have the same
    // allocator.
    void Adopt(Output* other);

   private:
    friend class InferenceResponse;
    InferenceResponse* response_ = nullptr;
    const TensorSpec* spec_ = nullptr;  // with the model: until the response is sent
    std::string name_;
    DataType type_ = DataType::kInvalid;
    std::vector<int64_t> shape_;
    OutputBuffer buffer_;
    bool has_buffer_ = false;
    ClassLabels labels_;
  };

  // The signature is borrowed until the response is sent.
  static Ptr New(const ModelSignature& signature, const std::string& request_id,
                 const ResponseDelivery& delivery, const ResponseGate::Pass& pass = {});

  // INVALID_ARGUMENT when the model declares no such output; ALREADY_EXISTS when the response has it.
  Result<Output*> AddOutput(const char* name, DataType type, const int64_t* shape, size_t rank);
  // The same, of a shape as clients see it.
  Result<Output*> AddSettledOutput(const std::string& name, DataType type, const std::vector<int64_t>& shape);
  Parameter& AddParameter() { return parameters_.Append(); }
  // Told of the response when it is sent.
  void set_observer(const std::shared_ptr<ResponseObserver>& observer) { observer_ = observer; }

  // Hands the response to the receiver. INVALID_ARGUMENT, and the response is deleted, where the final one of
  // its request was sent already.
  static Status TrySend(Ptr response, uint32_t flags, Status error);
  static void Send(Ptr response, uint32_t flags, Status error) {
    (void)TrySend(std::move(response), flags, std::move(error));
  }
  // A backend makes it now; not once it was sent or deleted.
  bool is_being_made() const { return is_being_made_.load(std::memory_order_relaxed); }

  const std::string& model_name() const { return model_name_; }
  int64_t model_version() const { return model_version_; }
  const std::string& request_id() const { return request_id_; }
  const Status& error() const { return error_; }
  // The error as the C interface lends it; REQUIRES: !error().ok().
  ErrorObject* error_object();
  size_t output_count() const { return outputs_.size(); }
  const Output& output(size_t index) const { return outputs_[index]; }
  Output& output(size_t index) { return outputs_[index]; }
  const ResponseAllocator* allocator() const { return delivery_.allocator; }
  size_t parameter_count() const { return parameters_.size(); }
  const Parameter& parameter(size_t index) const { return parameters_[index]; }

  InferenceResponse* next_free = nullptr;

 private:
  friend class FreeList<InferenceResponse>;
  InferenceResponse() = default;
  Result<Output*> NewOutput(const char* name, DataType type);
  Status Start();
  void ReleaseBuffers();

  const ModelSignature* signature_ = nullptr;
  std::string model_name_;
  int64_t model_version_ = 0;
  std::string request_id_;
  ResponseDelivery delivery_;
  ResponseGate::Pass pass_;
  std::atomic<bool> is_being_made_{false};  // read of handles that may be stale
  bool is_started_ = false;
  std::shared_ptr<ResponseObserver> observer_;  // with the request's other responses; null: nobody looks
  Status error_;
  ErrorObject error_object_{StatusCode::kOk, ""};
  RecycledVector<Output> outputs_;
  RecycledVector<Parameter> parameters_;
};

}  // namespace workbench
