// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// CopyReason: why bytes of a tensor were copied on the way through the server. The list is closed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace workbench {

enum class CopyReason : uint8_t {
  kNotContiguous = 0,  // an array's elements lay apart
  kConverted = 1,      // values, texts or BF16 became the elements that backends read
  kDeviceToHost = 2,   // an array of a GPU went to a model that runs on the processor
  kHostToDevice = 3,   // a backend brought inputs to its GPU
  kGathered = 4,       // inputs of several requests, or several pieces, became one
  kScattered = 5,      // one output became those of several requests
  kBroughtHome = 6,    // a backend brought an output from its GPU
};
constexpr std::array<const char*, 7> kCopyReasonNames = {"not_contiguous", "converted", "device_to_host",
                                                         "host_to_device", "gathered",  "scattered",
                                                         "brought_home"};

using CopyCounts = std::array<uint64_t, kCopyReasonNames.size()>;  // bytes by reason

}  // namespace workbench
