// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "inference/sequence_state.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace workbench {
namespace {

// A string of zero length is four bytes of zero.
size_t ZeroByteSize(DataType type, const std::vector<int64_t>& shape) {
  size_t count = type == DataType::kBytes ? sizeof(uint32_t) : ByteSizeOf(type);
  for (int64_t dim : shape) count *= static_cast<size_t>(dim);
  return count;
}

}  // namespace

SequenceState::SequenceState(const StateSpec& spec, bool is_batched, MemoryResource& memory)
    : spec_(spec), is_batched_(is_batched), memory_(memory) {
  input_.spec = &spec.input;
}

Status SequenceState::Restart() {
  type_ = spec_.input.type;
  shape_.clear();
  if (is_batched_) shape_.push_back(1);
  shape_.insert(shape_.end(), spec_.initial_dims.begin(), spec_.initial_dims.end());
  const std::string& initial = spec_.initial_bytes;
  RETURN_IF_ERROR(Resize(&current_, initial.empty() ? ZeroByteSize(type_, shape_) : initial.size()));
  if (initial.empty()) {
    std::memset(current_.buffer.data(), 0, current_.byte_size);
  } else {
    std::memcpy(current_.buffer.data(), initial.data(), initial.size());
  }
  return OkStatus();
}

Status SequenceState::Imitate(const SequenceState& other) {
  type_ = other.type_;
  shape_ = other.shape_;
  const bool has_strings = type_ == DataType::kBytes;
  RETURN_IF_ERROR(Resize(&current_, has_strings ? ZeroByteSize(type_, shape_) : other.current_.byte_size));
  std::memset(current_.buffer.data(), 0, current_.byte_size);
  return OkStatus();
}

RequestInput* SequenceState::Present() {
  input_.type = type_;
  input_.shape = shape_;
  input_.original_shape = shape_;
  input_.buffers.resize(1);
  input_.buffers[0].base = current_.buffer.data();
  input_.buffers[0].byte_size = current_.byte_size;
  input_.buffers[0].place = memory_.place();
  input_.byte_size = current_.byte_size;
  has_written_ = false;
  return &input_;
}

Status SequenceState::Resize(Bytes* bytes, size_t byte_size) {
  if (bytes->buffer.byte_size() < byte_size || bytes->buffer.data() == nullptr) {
    ASSIGN_OR_RETURN(bytes->buffer, Buffer::Allocate(memory_, byte_size));
  }
  bytes->byte_size = byte_size;
  return OkStatus();
}

// The current bytes become others; those that a request still reads are kept beside them.
Status SequenceState::Replace(size_t byte_size) {
  const bool has_room = spec_.is_growable && current_.buffer.byte_size() >= byte_size;
  if (!has_room) {
    std::swap(current_, other_);
    // Twice as many as there were, so that growing step by step copies each byte once or twice.
    const size_t room = spec_.is_growable ? std::max(byte_size, 2 * other_.byte_size) : byte_size;
    RETURN_IF_ERROR(Resize(&current_, room));
    if (spec_.is_growable) {
      std::memcpy(current_.buffer.data(), other_.buffer.data(), std::min(byte_size, other_.byte_size));
    }
  }
  current_.byte_size = byte_size;
  return OkStatus();
}

void SequenceState::Declare(DataType type, const int64_t* shape, size_t rank) {
  written_type_ = type;
  written_shape_.assign(shape, shape + rank);
}

Result<InputBuffer*> SequenceState::Allocate(size_t byte_size) {
  Bytes& target = spec_.uses_same_buffer ? current_ : other_;
  if (!spec_.uses_same_buffer) {
    RETURN_IF_ERROR(Resize(&other_, byte_size));
  } else if (byte_size != current_.byte_size) {
    RETURN_IF_ERROR(Replace(byte_size));
  }
  has_written_ = true;
  written_.base = target.buffer.data();
  written_.byte_size = byte_size;
  written_.place = memory_.place();
  return &written_;
}

Status SequenceState::Update() {
  if (!std::exchange(has_written_, false)) {
    return InvalidArgumentError("state '" + spec_.output_name +
                                "' is updated, but no buffer of it was asked for");
  }
  if (!spec_.uses_same_buffer) std::swap(current_, other_);
  type_ = written_type_;
  shape_ = written_shape_;
  return OkStatus();
}

SequenceStates::SequenceStates(const std::vector<StateSpec>& specs, bool is_batched, MemoryResource& memory) {
  for (const StateSpec& spec : specs) {
    states_.push_back(std::make_unique<SequenceState>(spec, is_batched, memory));
  }
}

Status SequenceStates::Restart() {
  for (auto& state : states_) RETURN_IF_ERROR(state->Restart());
  return OkStatus();
}

Status SequenceStates::Imitate(const SequenceStates& other) {
  for (size_t i = 0; i < states_.size(); ++i) RETURN_IF_ERROR(states_[i]->Imitate(*other.states_[i]));
  return OkStatus();
}

SequenceState* SequenceStates::FindOutput(const char* output_name) {
  for (auto& state : states_) {
    if (state->spec().output_name == output_name) return state.get();
  }
  return nullptr;
}

}  // namespace workbench
