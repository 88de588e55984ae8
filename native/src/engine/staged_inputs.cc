// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/staged_inputs.h"

#include <utility>

#include "device/cuda_device.h"
#include "memory/memory_owner.h"

namespace workbench {
namespace {

Status WaitForWriter(const CudaDevice& device, const TensorInput& input) {
  if (input.stream == 0) return OkStatus();
  const ScopedCudaContext current(device);
  RETURN_IF_ERROR(current.status());
  const auto stream = cuda::BytesAt(input.stream);
  return device.driver().StatusOf(device.driver().functions().stream_synchronize(stream),
                                  "cuStreamSynchronize");
}

Result<Buffer> ToHost(HostMemory& memory, const CudaDevice& device, TensorInput* input) {
  ASSIGN_OR_RETURN(Buffer copy, Buffer::Allocate(memory.resource(), input->byte_size));
  RETURN_IF_ERROR(device.Copy(copy.data(), input->base, input->byte_size));
  input->base = copy.data();
  input->place = MemoryPlace();
  return copy;
}

}  // namespace

Result<std::vector<Buffer>> StageInputs(HostMemory& memory, Model* model, CallOptions* options) {
  std::vector<Buffer> copies;
  const ScopedMemoryOwner owner(model->number());
  for (TensorInput& input : options->inputs) {
    if (input.place.type != MemoryType::kGpu) continue;
    ASSIGN_OR_RETURN(CudaDriver* const driver, memory.devices().Driver());
    ASSIGN_OR_RETURN(const CudaDevice* const device, driver->Device(static_cast<int>(input.place.id)));
    RETURN_IF_ERROR(WaitForWriter(*device, input));
    if (model->runs_on_gpu()) continue;
    ASSIGN_OR_RETURN(Buffer copy, ToHost(memory, *device, &input));
    model->own_statistics().CountCopy(CopyReason::kDeviceToHost, copy.byte_size());
    copies.push_back(std::move(copy));
  }
  return copies;
}

}  // namespace workbench
