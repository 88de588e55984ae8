// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Log: what backends and the core have to say. One for the process, since TRITONSERVER_LogMessage names no
// server. Records wait for whoever reads them; while nobody does they go to standard error. Any thread;
// nothing here calls out or waits for a reader.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace workbench {

enum class LogLevel : uint8_t { kInfo, kWarning, kError, kVerbose };  // values of TRITONSERVER_LogLevel
enum class LogFormat : uint8_t { kDefault, kIso8601 };                // values of TRITONSERVER_LogFormat

struct LogRecord {
  LogLevel level = LogLevel::kInfo;
  uint64_t time_ns = 0;  // since 1970
  std::string file;
  int line = 0;
  std::string message;
  std::string source;  // the backend that says so; empty: not known
};

struct LogSettings {
  bool info = true;
  bool warning = true;
  bool error = true;
  int verbose_level = 0;  // 0: nothing verbose
  LogFormat format = LogFormat::kDefault;
  std::string file;  // that lines are added to; empty: none
};

class Log {
 public:
  // More records than these, unread, make the oldest of them go; how many went is told.
  static constexpr size_t kCapacity = 8192;

  static Log& Process();

  bool is_enabled(LogLevel level) const {
    return (enabled_.load(std::memory_order_relaxed) >> static_cast<unsigned>(level) & 1u) != 0;
  }
  // Keeps the record, where its level is enabled.
  void Write(LogRecord record) EXCLUDES(mutex_);
  LogSettings settings() const EXCLUDES(mutex_);
  // INTERNAL where the file cannot be written.
  Status Set(LogSettings settings) EXCLUDES(mutex_);

  // A reader is there from now on, or is not any more: what it has not read is printed then.
  void Attach() EXCLUDES(mutex_);
  void Detach() EXCLUDES(mutex_);
  struct Page {
    std::vector<LogRecord> records;
    uint64_t dropped = 0;  // since the last page
  };
  // What came since the last page; waits for the first record.
  Page Take(uint64_t timeout_ns) EXCLUDES(mutex_);

 private:
  Log() = default;

  std::atomic<unsigned> enabled_{7};  // a bit for each level
  mutable Mutex mutex_;
  CondVar added_;
  LogSettings settings_ GUARDED_BY(mutex_);
  bool has_reader_ GUARDED_BY(mutex_) = false;
  std::deque<LogRecord> records_ GUARDED_BY(mutex_);
  uint64_t dropped_ GUARDED_BY(mutex_) = 0;
};

// One line as the original writes it, without its end. Pure.
std::string FormatLogLine(const LogRecord& record, LogFormat format, int process);

}  // namespace workbench
