// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What a loop knows of its clients. All of it on the loop's thread.
#pragma once

#include <chrono>

namespace workbench {

// One client of a door. Its last reference is its own: what it waits for keeps it.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void Start() = 0;
  // The door closes: ends now, or with what is being served.
  virtual void Drain() = 0;
  // Asked once a second: ends where a request takes too long to arrive.
  virtual void CloseIfSlow(std::chrono::steady_clock::time_point now) = 0;
  virtual void Close() = 0;
};

// Whoever waits for the answers of one inference.
class InferenceClient {
 public:
  virtual ~InferenceClient() = default;
  // Sends the inference, and expects it on the loop; or tells why not.
  virtual void Send() = 0;
  virtual void OnAnswer(bool is_last) = 0;
  // Asked regularly while the inference is being served: whether there is still someone who wants it.
  virtual void WatchIfLong() {}
  // The door closes and waits no longer: asks the core to give up. The last answer comes all the same.
  virtual void GiveUp() = 0;
};

}  // namespace workbench
