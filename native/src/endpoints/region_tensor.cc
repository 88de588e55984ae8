// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "endpoints/region_tensor.h"

#include <algorithm>
#include <utility>

#include "endpoints/bridge.h"
#include "endpoints/error.h"
#include "endpoints/output.h"

namespace workbench {
namespace {

bool IsOnDevice(const OutputWish& wish) {
  return wish.place.region != nullptr && wish.place.region->device() != nullptr;
}

Status Append(const std::string& input, const void* base, size_t byte_size, TRITONSERVER_MemoryType type,
              int64_t id, TRITONSERVER_InferenceRequest* request) {
  return TakeStatus(
      TRITONSERVER_InferenceRequestAppendInputData(request, input.c_str(), base, byte_size, type, id));
}

Status BringOutput(const Output& output, const OutputWish& wish) {
  if (!IsOnDevice(wish) || output.base == wish.place.base) return OkStatus();
  return wish.place.region->device()->Copy(wish.place.base, output.base, output.byte_size);
}

}  // namespace

Status AppendPart(const std::string& input, const SharedMemoryRegion::Part& part,
                  TRITONSERVER_InferenceRequest* request, InferPlan* plan) {
  const DeviceRegionBridge* const device = part.region->device();
  if (device == nullptr) {
    return Append(input, part.base, part.byte_size, TRITONSERVER_MEMORY_CPU, 0, request);
  }
  if (TheBridge().runs_on_gpu(request)) {
    return Append(input, part.base, part.byte_size, TRITONSERVER_MEMORY_GPU, part.region->device_id(),
                  request);
  }
  std::string& copy = plan->converted.emplace_back(part.byte_size, '\0');
  RETURN_IF_ERROR(device->Copy(copy.data(), part.base, part.byte_size));
  return Append(input, copy.data(), copy.size(), TRITONSERVER_MEMORY_CPU, 0, request);
}

Result<void*> PlaceFor(const OutputWish& wish, size_t byte_size, bool prefers_gpu) {
  if (byte_size > wish.place.byte_size) {
    return InvalidArgumentError("output '" + wish.name + "' has " + std::to_string(byte_size) +
                                " bytes, its place in shared memory region '" + wish.region + "' " +
                                std::to_string(wish.place.byte_size));
  }
  return IsOnDevice(wish) && !prefers_gpu ? nullptr : wish.place.base;
}

Status BringOutputs(TRITONSERVER_InferenceResponse* response, const InferPlan& plan) {
  if (std::none_of(plan.outputs.begin(), plan.outputs.end(), IsOnDevice)) return OkStatus();
  uint32_t count = 0;
  RETURN_IF_ERROR(TakeStatus(TRITONSERVER_InferenceResponseOutputCount(response, &count)));
  for (uint32_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const Output output, OutputOf(response, i));
    if (const OutputWish* const wish = plan.Find(output.name)) RETURN_IF_ERROR(BringOutput(output, *wish));
  }
  return OkStatus();
}

}  // namespace workbench
