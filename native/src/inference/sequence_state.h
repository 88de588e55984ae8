// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// SequenceState: one tensor that a model hands from each request of a sequence to the next, behind a
// TRITONBACKEND_State handle. SequenceStates: all of those of a sequence. Owned by the scheduler; touched by
// whoever has the sequence's request, which is one at a time.
//
// What a backend writes becomes the input of the next request once it says so (Update); until then the next
// request sees what this one saw.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inference/request_input.h"
#include "memory/buffer.h"

namespace workbench {

struct StateSpec {
  TensorSpec input;  // as the backend reads it; dims as configured
  std::string output_name;
  std::vector<int64_t> initial_dims;  // of the first request; none is variable
  std::string initial_bytes;          // empty: zeros
  bool uses_same_buffer = false;      // is written where it is read
  bool is_growable = false;           // keeps its bytes when it gets more
};

class SequenceState {
 public:
  // Borrows both, which outlive it.
  SequenceState(const StateSpec& spec, bool is_batched, MemoryResource& memory);

  // Back to what a sequence starts with.
  Status Restart();
  // As the next request sees it. Looks the same until the next call of Present.
  RequestInput* Present();
  // Zeros in the shape of another state: what a null request sees.
  Status Imitate(const SequenceState& other);
  const StateSpec& spec() const { return spec_; }

  // --- the backend's side
  void Declare(DataType type, const int64_t* shape, size_t rank);
  // Bytes to write to. Asked for again with the same size, the same bytes.
  Result<InputBuffer*> Allocate(size_t byte_size);
  // What was written is what the next request sees. INVALID_ARGUMENT where nothing was asked for to write to.
  Status Update();
  InputBuffer* written() { return &written_; }

 private:
  struct Bytes {
    Buffer buffer;         // may hold more than is used
    size_t byte_size = 0;  // in use
  };

  Status Resize(Bytes* bytes, size_t byte_size);
  Status Replace(size_t byte_size);

  const StateSpec& spec_;
  const bool is_batched_;
  MemoryResource& memory_;
  RequestInput input_;
  Bytes current_;  // what the next request reads
  Bytes other_;    // what the backend writes, or what was current before
  DataType type_ = DataType::kInvalid;
  std::vector<int64_t> shape_;
  DataType written_type_ = DataType::kInvalid;
  std::vector<int64_t> written_shape_;
  InputBuffer written_;
  bool has_written_ = false;  // since the last Update
};

class SequenceStates {
 public:
  // Borrows both, which outlive it.
  SequenceStates(const std::vector<StateSpec>& specs, bool is_batched, MemoryResource& memory);

  Status Restart();
  Status Imitate(const SequenceStates& other);
  // The state whose output has that name, or null.
  SequenceState* FindOutput(const char* output_name);
  size_t size() const { return states_.size(); }
  SequenceState& operator[](size_t index) { return *states_[index]; }

 private:
  std::vector<std::unique_ptr<SequenceState>> states_;
};

}  // namespace workbench
