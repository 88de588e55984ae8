// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// ResponseObserver: sees the responses of a request on their way to the receiver. Shared by the request, its
// responses and their factories. Any thread.
#pragma once

namespace workbench {

class InferenceResponse;

class ResponseObserver {
 public:
  virtual ~ResponseObserver() = default;
  // The response is complete, and about to be the receiver's.
  virtual void OnSend(const InferenceResponse& response) = 0;
};

}  // namespace workbench
