// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// MachineMetrics: how busy the machine's processors are and how full its memory, as the kernel tells. Owned
// by the engine; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "metrics/metric_snapshot.h"

namespace workbench {

// Time that all processors have spent since the machine started, in ticks.
struct ProcessorTimes {
  uint64_t busy = 0;
  uint64_t all = 0;
};
// Of the first line of /proc/stat; zeros where it is not that. Pure.
ProcessorTimes ReadProcessorTimes(const std::string& stat);
// Bytes of an entry of /proc/meminfo such as "MemTotal"; 0 where there is none. Pure.
uint64_t ReadMemoryEntry(const std::string& meminfo, const std::string& entry);

class MachineMetrics {
 public:
  // Utilization is that since the last reading; of the first reading, that since the machine started.
  std::vector<FamilySnapshot> Read() EXCLUDES(mutex_);

 private:
  double Utilization(const ProcessorTimes& now) EXCLUDES(mutex_);

  Mutex mutex_;
  ProcessorTimes last_ GUARDED_BY(mutex_);
};

}  // namespace workbench
