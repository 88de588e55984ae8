// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of a model, as Python holds them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api.h"
#include "triton/core/tritonserver.h"

namespace workbench::python_backend {

// Outlives its metrics: each of them holds it.
class MetricFamily : public std::enable_shared_from_this<MetricFamily> {
 public:
  static std::shared_ptr<MetricFamily> New(const std::string& name, const std::string& description, int kind);
  ~MetricFamily();
  TRITONSERVER_MetricFamily* handle() const { return handle_; }

 private:
  explicit MetricFamily(TRITONSERVER_MetricFamily* handle) : handle_(handle) {}
  TRITONSERVER_MetricFamily* handle_;
};

class Metric {
 public:
  Metric(std::shared_ptr<MetricFamily> family, const std::map<std::string, std::string>& labels,
         const std::vector<double>& buckets);
  ~Metric();
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  void Increment(double value);
  void Set(double value);
  void Observe(double value);
  double value() const;

 private:
  const std::shared_ptr<MetricFamily> family_;
  TRITONSERVER_Metric* handle_ = nullptr;
};

void RegisterMetrics(py::module_& module);

}  // namespace workbench::python_backend
