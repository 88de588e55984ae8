// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/clock.h"

namespace workbench {
namespace {

constexpr char kLetters[] = {'I', 'W', 'E', 'V'};

unsigned EnabledBits(const LogSettings& settings) {
  unsigned bits = 0;
  auto set = [&bits](bool is_enabled, LogLevel level) {
    bits |= (is_enabled ? 1u : 0u) << static_cast<unsigned>(level);
  };
  set(settings.info, LogLevel::kInfo);
  set(settings.warning, LogLevel::kWarning);
  set(settings.error, LogLevel::kError);
  set(settings.verbose_level > 0, LogLevel::kVerbose);
  return bits;
}

uint64_t WallClockNs() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void Print(const LogRecord& record, LogFormat format, std::FILE* to) {
  std::fprintf(to, "%s\n", FormatLogLine(record, format, getpid()).c_str());
}

// Opened for each record: errors are rare, and whoever rotates files finds it closed.
Status AddTo(const std::string& file, const LogRecord* record, LogFormat format) {
  std::FILE* const to = std::fopen(file.c_str(), "a");
  if (to == nullptr) return InternalError("the log file '" + file + "' cannot be written");
  if (record != nullptr) Print(*record, format, to);
  std::fclose(to);
  return OkStatus();
}

// The file is opened again for each record, and a notebook may have gone to another folder by then.
std::string Absolute(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(file, ignored);
  return ignored ? file : path.string();
}

}  // namespace

std::string FormatLogLine(const LogRecord& record, LogFormat format, int process) {
  const auto seconds = static_cast<time_t>(record.time_ns / 1'000'000'000);
  tm parts{};
  gmtime_r(&seconds, &parts);
  char stamp[80];
  const char letter = kLetters[static_cast<unsigned>(record.level)];
  if (format == LogFormat::kIso8601) {
    std::snprintf(stamp, sizeof stamp, "%04d-%02d-%02dT%02d:%02d:%02dZ %c %d ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, letter,
                  process);
  } else {
    std::snprintf(stamp, sizeof stamp, "%c%02d%02d %02d:%02d:%02d.%06d %d ", letter, parts.tm_mon + 1,
                  parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(record.time_ns / 1000 % 1'000'000), process);
  }
  return stamp + record.file + ":" + std::to_string(record.line) + "] " + record.message;
}

// Never destroyed: threads may outlive static destruction.
Log& Log::Process() {
  static Log* const log = new Log();
  return *log;
}

void Log::Write(LogRecord record) {
  if (!is_enabled(record.level)) return;
  if (record.time_ns == 0) record.time_ns = WallClockNs();
  LogSettings settings;
  {
    MutexLock lock(&mutex_);
    settings = settings_;
    if (has_reader_) {
      if (records_.size() == kCapacity) {
        records_.pop_front();
        ++dropped_;
      }
      records_.push_back(record);
      added_.NotifyOne();
    } else if (settings.file.empty()) {
      Print(record, settings.format, stderr);
    }
  }
  if (!settings.file.empty()) (void)AddTo(settings.file, &record, settings.format);
}

LogSettings Log::settings() const {
  MutexLock lock(&mutex_);
  return settings_;
}

Status Log::Set(LogSettings settings) {
  if (!settings.file.empty()) {
    settings.file = Absolute(settings.file);
    RETURN_IF_ERROR(AddTo(settings.file, nullptr, settings.format));
  }
  MutexLock lock(&mutex_);
  settings_ = std::move(settings);
  enabled_.store(EnabledBits(settings_), std::memory_order_relaxed);
  return OkStatus();
}

void Log::Attach() {
  MutexLock lock(&mutex_);
  has_reader_ = true;
}

void Log::Detach() {
  MutexLock lock(&mutex_);
  has_reader_ = false;
  for (const LogRecord& record : records_) Print(record, settings_.format, stderr);
  records_.clear();
  added_.NotifyAll();
}

Log::Page Log::Take(uint64_t timeout_ns) {
  const uint64_t deadline_ns = SteadyClock::Read() + timeout_ns;
  Page page;
  MutexLock lock(&mutex_);
  while (records_.empty() && has_reader_ && SteadyClock::Read() < deadline_ns) {
    added_.WaitUntil(&mutex_, deadline_ns);
  }
  page.records.assign(std::make_move_iterator(records_.begin()), std::make_move_iterator(records_.end()));
  records_.clear();
  page.dropped = std::exchange(dropped_, 0);
  return page;
}

}  // namespace workbench
