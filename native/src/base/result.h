// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or the Status that says why there is none.
#pragma once

#include <optional>
#include <utility>

#include "base/status.h"

namespace workbench {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit on purpose
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }

  // REQUIRES: ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return std::move(*value_); }
  T& operator*() & { return *value_; }
  T* operator->() { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace workbench

#define ASSIGN_OR_RETURN(target, expression)           \
  auto WB_CONCAT(wb_result_, __LINE__) = (expression); \
  if (!WB_CONCAT(wb_result_, __LINE__).ok()) {         \
    return WB_CONCAT(wb_result_, __LINE__).status();   \
  }                                                    \
  target = std::move(WB_CONCAT(wb_result_, __LINE__)).value()
