// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/machine_metrics.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace workbench {
namespace {

std::string TextOf(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

FamilySnapshot Gauge(const char* name, const char* help, double value) {
  return {name, help, MetricKind::kGauge, {{{}, value, {}}}};
}

}  // namespace

ProcessorTimes ReadProcessorTimes(const std::string& stat) {
  std::istringstream line(stat.substr(0, stat.find('\n')));
  std::string name;
  line >> name;
  ProcessorTimes times;
  if (name != "cpu") return times;
  // user nice system idle iowait irq softirq steal; guests are in user already
  uint64_t ticks = 0;
  for (int field = 0; field < 8 && line >> ticks; ++field) {
    const bool is_idle = field == 3 || field == 4;
    times.all += ticks;
    if (!is_idle) times.busy += ticks;
  }
  return times;
}

uint64_t ReadMemoryEntry(const std::string& meminfo, const std::string& entry) {
  std::istringstream lines(meminfo);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, entry.size() + 1, entry + ":") != 0) continue;
    std::istringstream value(line.substr(entry.size() + 1));
    uint64_t kibibytes = 0;
    value >> kibibytes;
    return kibibytes * 1024;
  }
  return 0;
}

double MachineMetrics::Utilization(const ProcessorTimes& now) {
  MutexLock lock(&mutex_);
  const ProcessorTimes before = std::exchange(last_, now);
  const uint64_t all = now.all - before.all;
  return all == 0 ? 0 : static_cast<double>(now.busy - before.busy) / static_cast<double>(all);
}

std::vector<FamilySnapshot> MachineMetrics::Read() {
  const std::string meminfo = TextOf("/proc/meminfo");
  const uint64_t total = ReadMemoryEntry(meminfo, "MemTotal");
  const uint64_t used = total - ReadMemoryEntry(meminfo, "MemAvailable");
  return {
      Gauge("nv_cpu_utilization", "Share of the processors' time that is spent, 0 to 1",
            Utilization(ReadProcessorTimes(TextOf("/proc/stat")))),
      Gauge("nv_cpu_memory_total_bytes", "Bytes of the machine's memory", static_cast<double>(total)),
      Gauge("nv_cpu_memory_used_bytes", "Bytes of the machine's memory that are in use",
            static_cast<double>(used)),
  };
}

}  // namespace workbench
