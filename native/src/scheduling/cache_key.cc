// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/cache_key.h"

#include <algorithm>
#include <cstring>

namespace workbench {
namespace {

// Two hashes of 64 bits beside each other, by folded products: as fast as memory is read.
class Hasher {
 public:
  void Add(uint64_t word) {
    low_ = Fold(low_ ^ word, 0x9e3779b97f4a7c15ull);
    high_ = Fold(high_ + word, 0xd6e8feb86659fd93ull) ^ word;
  }
  void Add(const void* bytes, size_t byte_size) {
    const char* at = static_cast<const char*>(bytes);
    for (; byte_size >= sizeof(uint64_t); byte_size -= sizeof(uint64_t), at += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, at, sizeof word);
      Add(word);
    }
    uint64_t rest = 0;
    std::memcpy(&rest, at, byte_size);
    if (byte_size > 0) Add(rest);
  }
  // With its length, so that what follows cannot be mistaken for a part of it.
  void Add(const std::string& text) {
    Add(text.size());
    Add(text.data(), text.size());
  }
  CacheKey key() const { return {Fold(low_, 0xa0761d6478bd642full), Fold(high_, 0xe7037ed1a0b428dbull)}; }

 private:
  static uint64_t Fold(uint64_t a, uint64_t b) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }

  uint64_t low_ = 0x2545f4914f6cdd1dull;
  uint64_t high_ = 0x8ebc6af09c88c6e3ull;
};

// However the sender cut the bytes into buffers, the same bytes give the same key.
bool AddBytes(const RequestInput& input, Hasher* hasher) {
  hasher->Add(input.byte_size);
  if (input.buffers.size() == 1 && input.buffers[0].place.type != MemoryType::kGpu) {
    hasher->Add(input.buffers[0].base, input.byte_size);
    return true;
  }
  std::vector<char> whole;
  for (const InputBuffer& part : input.buffers) {
    if (part.place.type == MemoryType::kGpu) return false;
    const char* const start = static_cast<const char*>(part.base);
    whole.insert(whole.end(), start, start + part.byte_size);
  }
  hasher->Add(whole.data(), whole.size());
  return true;
}

void AddParameter(const Parameter& parameter, Hasher* hasher) {
  hasher->Add(parameter.name);
  hasher->Add(static_cast<uint64_t>(parameter.type));
  hasher->Add(parameter.text);
  hasher->Add(static_cast<uint64_t>(parameter.integer));
  hasher->Add(&parameter.real, sizeof parameter.real);
  hasher->Add(parameter.is_true ? 1 : 0);
}

}  // namespace

std::optional<CacheKey> CacheKeyOf(InferenceRequest& request, uint64_t owner) {
  const ModelSignature& signature = request.signature();
  Hasher hasher;
  hasher.Add(owner);
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const RequestInput* const input = request.FindInput(signature.inputs[i].name.c_str());
    hasher.Add(input == nullptr ? 0 : i + 1);
    if (input == nullptr) continue;
    hasher.Add(static_cast<uint64_t>(input->type));
    hasher.Add(input->original_shape.size());
    hasher.Add(input->original_shape.data(), input->original_shape.size() * sizeof(int64_t));
    if (!AddBytes(*input, &hasher)) return std::nullopt;
  }
  std::vector<bool> wanted(signature.outputs.size());
  for (size_t i = 0; i < request.output_count(); ++i) {
    wanted[static_cast<size_t>(&request.output(i) - signature.outputs.data())] = true;
  }
  for (const bool is_wanted : wanted) hasher.Add(is_wanted ? 1 : 2);
  for (size_t i = 0; i < request.parameter_count(); ++i) AddParameter(request.parameter(i), &hasher);
  return hasher.key();
}

}  // namespace workbench
