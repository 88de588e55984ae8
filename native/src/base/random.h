// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Random: a small seeded generator (xoshiro256++, Blackman and Vigna 2021) whose numbers are the same
// everywhere. One owner, one thread.
#pragma once

#include <cstdint>

namespace workbench {

class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) word = SplitMix(&seed);
  }

  uint64_t Next() {
    const uint64_t result = Rotate(state_[0] + state_[3], 23) + state_[0];
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  // Uniform in (0, 1]: its logarithm is always finite.
  double NextUnit() { return static_cast<double>((Next() >> 11) + 1) * 0x1.0p-53; }

 private:
  static uint64_t Rotate(uint64_t value, int by) { return (value << by) | (value >> (64 - by)); }

  // Spreads one word of seed over the state, so that near seeds give unlike streams.
  static uint64_t SplitMix(uint64_t* seed) {
    uint64_t word = (*seed += 0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }

  uint64_t state_[4];
};

}  // namespace workbench
