// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/control_inputs.h"

#include <cstring>

namespace workbench {
namespace {

constexpr size_t kReady = 4;
constexpr size_t kLengthSize = sizeof(uint32_t);  // what goes before the bytes of a text

size_t BitOf(ControlSpec::Kind kind) { return size_t{1} << static_cast<unsigned>(kind); }

void Point(RequestInput* input, const void* base, size_t byte_size) {
  input->buffers.resize(1);
  input->buffers[0].base = base;
  input->buffers[0].byte_size = byte_size;
  input->byte_size = byte_size;
}

}  // namespace

ControlInputs::ControlInputs(const std::vector<ControlSpec>& specs, bool is_batched)
    : specs_(specs), shape_(is_batched ? 2 : 1, 1), no_id_(sizeof(uint64_t), '\0') {
  for (const ControlSpec& spec : specs_) {
    if (spec.kind != ControlSpec::Kind::kCorrelationId) {
      AddFlag(spec);
    } else if (id_ == nullptr) {
      id_ = &spec;
      null_id_ = InputOf(spec, no_id_);
      Point(null_id_, no_id_.data(), takes_text() ? kLengthSize : ByteSizeOf(spec.input.type));
    }
  }
}

void ControlInputs::AddFlag(const ControlSpec& spec) {
  RequestInput* const off = InputOf(spec, spec.false_bytes);
  RequestInput* const on = InputOf(spec, spec.true_bytes);
  for (size_t standing = 0; standing < kStandings; ++standing) {
    flags_[standing].push_back((standing & BitOf(spec.kind)) != 0 ? on : off);
  }
}

RequestInput* ControlInputs::InputOf(const ControlSpec& spec, const std::string& bytes) {
  RequestInput& input = inputs_.emplace_back();
  input.spec = &spec.input;
  input.type = spec.input.type;
  input.original_shape = input.shape = shape_;
  Point(&input, bytes.data(), bytes.size());
  return &input;
}

Status ControlInputs::Check(const SequenceId& id, const std::string& model) const {
  if (id_ == nullptr || id.text.empty() || takes_text()) return OkStatus();
  return InvalidArgumentError("model '" + model + "' takes the correlation id as " + NameOf(id_->input.type) +
                              " in '" + id_->input.name + "', and the request's is the text '" +
                              std::string(id.text) + "'");
}

void ControlInputs::GiveFlags(InferenceRequest* request, size_t standing) const {
  for (RequestInput* input : flags_[standing]) request->GiveInput(input);
}

void ControlInputs::Give(InferenceRequest* request, Sequence* sequence) const {
  GiveFlags(request, (request->flags() & 3u) | kReady);
  if (id_ == nullptr) return;
  if (sequence->id_input.spec != &id_->input) FillId(sequence);
  request->GiveInput(&sequence->id_input);
  if (takes_text()) request->GiveCorrelationText(sequence->id_bytes.c_str() + kLengthSize);
}

// The bytes of a number are the sequence's own; a narrower type reads the low ones.
void ControlInputs::FillId(Sequence* sequence) const {
  RequestInput& input = sequence->id_input;
  input.spec = &id_->input;
  input.type = id_->input.type;
  input.original_shape = input.shape = shape_;
  if (input.type != DataType::kBytes) return Point(&input, &sequence->number, ByteSizeOf(input.type));
  const std::string text = sequence->text.empty() ? std::to_string(sequence->number) : sequence->text;
  const auto length = static_cast<uint32_t>(text.size());
  sequence->id_bytes.resize(sizeof length);
  std::memcpy(sequence->id_bytes.data(), &length, sizeof length);
  sequence->id_bytes += text;
  Point(&input, sequence->id_bytes.data(), sequence->id_bytes.size());
}

void ControlInputs::GiveNull(InferenceRequest* request) const {
  GiveFlags(request, 0);
  if (id_ == nullptr) return;
  request->GiveInput(null_id_);
  if (takes_text()) request->GiveCorrelationText("");
}

}  // namespace workbench
