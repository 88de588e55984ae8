// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferenceTarget: what a request is for, as far as the request needs to know. Models implement it.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "inference/model_signature.h"

namespace workbench {

class InferenceRequest;

class InferenceTarget {
 public:
  virtual const ModelSignature& signature() const = 0;
  // A request that is bound to the target keeps it in memory; the last reference deletes it.
  virtual void AddReference() = 0;
  virtual void RemoveReference() = 0;
  // The request, taken for inference earlier, is about to go back to its sender. flags as of its release.
  virtual void OnRequestReleased(InferenceRequest* request, uint32_t flags) = 0;
  // The backend is not done with the request yet: it is to be executed again. Taken on success; else it stays
  // the backend's.
  virtual Status Reschedule(InferenceRequest* request) {
    return InvalidArgumentError("model '" + signature().name +
                                "' has no iterative sequences (sequence_batching.iterative_sequence): its "
                                "requests are released with TRITONSERVER_REQUEST_RELEASE_ALL");
  }
  // Answers are still to come though the request may be released: the target must not go.
  virtual void AddInFlight() = 0;
  virtual void RemoveInFlight() = 0;

 protected:
  virtual ~InferenceTarget() = default;
};

}  // namespace workbench
