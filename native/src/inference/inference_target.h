// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// InferenceTarget: what a request is for, as far as the request needs to know. Models implement it.
#pragma once

#include <cstdint>

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
  // Answers are still to come though the request may be released: the target must not go.
  virtual void AddInFlight() = 0;
  virtual void RemoveInFlight() = 0;

 protected:
  virtual ~InferenceTarget() = default;
};

}  // namespace workbench
