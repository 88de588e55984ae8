// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// EventStream: answers on their way out as server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html), in chunks of an HTTP/1.1 body. Pure.
#pragma once

#include <string>

#include "base/result.h"

namespace workbench {

class EventStream {
 public:
  // An answer's JSON, or why there is none.
  void Add(const Result<std::string>& json);
  // Nothing more comes.
  void End();

  // The status is on its way.
  bool has_begun() const { return has_begun_; }
  // Nothing was sent, and the first answer was an error: the stream is none.
  bool is_refused() const { return !refusal_.ok(); }
  const Status& refusal() const { return refusal_; }
  // What is to be written now.
  std::string Take();
  // All was taken.
  bool is_over() const { return has_ended_ && pending_.empty(); }
  size_t byte_size() const { return pending_.size(); }

 private:
  void Append(const std::string& event);

  bool has_begun_ = false;
  bool has_ended_ = false;
  Status refusal_;
  std::string pending_;
};

}  // namespace workbench
