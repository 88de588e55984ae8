// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of backends: counted, so that backends work; shown once the server has a metrics page.
#include <atomic>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "capi/error.h"
#include "inference/parameter.h"

namespace workbench {
namespace {

struct MetricFamily {
  TRITONSERVER_MetricKind kind;
  std::string name;
  std::string description;
};

class Metric {
 public:
  explicit Metric(const MetricFamily& family) : family_(family) {}

  Status Increment(double by) {
    if (family_.kind == TRITONSERVER_METRIC_KIND_COUNTER && by < 0) {
      return InvalidArgumentError("counter '" + family_.name + "' only grows; got " + std::to_string(by));
    }
    MutexLock lock(&mutex_);
    value_ += by;
    return OkStatus();
  }
  double value() {
    MutexLock lock(&mutex_);
    return value_;
  }

 private:
  const MetricFamily& family_;
  Mutex mutex_;
  double value_ GUARDED_BY(mutex_) = 0;
};

}  // namespace
}  // namespace workbench

using namespace workbench;  // NOLINT: this file is the interface's side of that class

extern "C" {

TRITONSERVER_Error* TRITONSERVER_MetricFamilyNew(TRITONSERVER_MetricFamily** family,
                                                 const TRITONSERVER_MetricKind kind, const char* name,
                                                 const char* description) {
  return Guard([&] {
    *family = ToHandle<TRITONSERVER_MetricFamily>(new MetricFamily{kind, name, description});
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricFamilyDelete(TRITONSERVER_MetricFamily* family) {
  return Guard([&] {
    delete FromHandle<MetricFamily>(family);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricNew(TRITONSERVER_Metric** metric, TRITONSERVER_MetricFamily* family,
                                           const TRITONSERVER_Parameter** labels,
                                           const uint64_t label_count) {
  return Guard([&] {
    *metric = ToHandle<TRITONSERVER_Metric>(new Metric(*FromHandle<MetricFamily>(family)));
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricDelete(TRITONSERVER_Metric* metric) {
  return Guard([&] {
    delete FromHandle<Metric>(metric);
    return OkStatus();
  });
}

TRITONSERVER_Error* TRITONSERVER_MetricIncrement(TRITONSERVER_Metric* metric, double value) {
  return Guard([&] { return FromHandle<Metric>(metric)->Increment(value); });
}

TRITONSERVER_Error* TRITONSERVER_MetricValue(TRITONSERVER_Metric* metric, double* value) {
  return Guard([&] {
    *value = FromHandle<Metric>(metric)->value();
    return OkStatus();
  });
}

}  // extern "C"
