// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Patience: what can no longer be refused waits for memory instead of failing. While a thread has patience,
// `operator new` tries again every millisecond until there is memory; elsewhere it throws as it always does,
// and who asked is told. For the delivery of answers, the hand-over of requests and the core's own threads,
// where an exception would leave a request that nobody owns.
//
// It works through the process's new-handler, which is put before the one that was there.
#pragma once

namespace workbench {

class Patience {
 public:
  // Any thread, any number of times.
  static void Install();

  explicit Patience(bool has_patience = true) : before_(has_) { has_ = has_patience; }
  ~Patience() { has_ = before_; }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  static bool has() { return has_; }

 private:
  static inline thread_local bool has_ = false;
  const bool before_;
};

}  // namespace workbench
