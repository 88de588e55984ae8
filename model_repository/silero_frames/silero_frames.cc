// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the end of the frame before in front of each frame of a stream. What is kept for the next frame is a
// state of the sequence, so one instance serves any number of streams.
#include <algorithm>
#include <vector>
#include <workbench/backend.hpp>

struct SileroFrames {
  void Execute(workbench::Request& request) {
    const workbench::Span<const float> before = request.input("BEFORE").as<float>();
    const workbench::Span<const float> sound = request.input("SOUND").as<float>();
    if (sound.size() < before.size()) {
      throw workbench::InvalidArgument("SOUND has " + std::to_string(sound.size()) + " samples; at least " +
                                       std::to_string(before.size()) + " make a frame");
    }
    const auto length = static_cast<int64_t>(before.size() + sound.size());
    const workbench::Span<float> frame = request.output("FRAME").Allocate<float>({1, length});
    std::copy(sound.begin(), sound.end(), std::copy(before.begin(), before.end(), frame.begin()));
    const std::vector<float> after(sound.end() - before.size(), sound.end());
    request.state("AFTER").Write(after, {1, static_cast<int64_t>(after.size())});
  }
};

WORKBENCH_BACKEND(SileroFrames)
