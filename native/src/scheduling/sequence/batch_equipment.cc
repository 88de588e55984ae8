// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduling/sequence/batch_equipment.h"

#include <algorithm>
#include <utility>

namespace workbench {
namespace {

constexpr uint32_t kStart = 1;  // TRITONSERVER_REQUEST_FLAG_SEQUENCE_START

}  // namespace

void BatchEquipment::Equip(Batch* batch) {
  if (batch->requests.empty()) return;
  const Status status = EquipAll(batch);
  if (status.ok()) return;
  for (InferenceRequest* request : batch->requests) {
    if (request != nullptr) InferenceRequest::Fail(RequestPtr(request), status);
  }
  batch->requests.clear();
}

Status BatchEquipment::EquipAll(Batch* batch) {
  for (InferenceRequest* request : batch->requests) {
    if (request != nullptr) RETURN_IF_ERROR(GiveTo(request));
  }
  return FillGaps(batch);
}

Status BatchEquipment::GiveTo(InferenceRequest* request) const {
  controls_.Give(request, request->sequence);
  SequenceStates* const states = request->sequence->states;
  if (states == nullptr) return OkStatus();
  if ((request->flags() & kStart) != 0) RETURN_IF_ERROR(states->Restart());
  for (size_t i = 0; i < states->size(); ++i) request->GiveInput((*states)[i].Present());
  request->states = states;
  return OkStatus();
}

Status BatchEquipment::FillGaps(Batch* batch) {
  const auto is_real = [](const InferenceRequest* request) { return request != nullptr; };
  const InferenceRequest& like = **std::find_if(batch->requests.begin(), batch->requests.end(), is_real);
  for (InferenceRequest*& request : batch->requests) {
    if (request != nullptr) continue;
    ASSIGN_OR_RETURN(RequestPtr null, nulls_.Like(like));
    controls_.GiveNull(null.get());
    request = null.release();
  }
  return OkStatus();
}

}  // namespace workbench
