// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include "metrics.h"

#include <pybind11/stl.h>

#include "workbench/backend.hpp"

namespace workbench::python_backend {

std::shared_ptr<MetricFamily> MetricFamily::New(const std::string& name, const std::string& description,
                                                int kind) {
  TRITONSERVER_MetricFamily* handle = nullptr;
  Check(TRITONSERVER_MetricFamilyNew(&handle, static_cast<TRITONSERVER_MetricKind>(kind), name.c_str(),
                                     description.c_str()));
  return std::shared_ptr<MetricFamily>(new MetricFamily(handle));
}

MetricFamily::~MetricFamily() {
  detail::LogFailure(TRITONSERVER_MetricFamilyDelete(handle_), "deleting a family of metrics");
}

Metric::Metric(std::shared_ptr<MetricFamily> family, const std::map<std::string, std::string>& labels,
               const std::vector<double>& buckets)
    : family_(std::move(family)) {
  std::vector<const TRITONSERVER_Parameter*> parameters;
  for (const auto& [name, value] : labels) {
    parameters.push_back(
        TRITONSERVER_ParameterNew(name.c_str(), TRITONSERVER_PARAMETER_STRING, value.c_str()));
  }
  TRITONSERVER_MetricArgs* args = nullptr;
  TRITONSERVER_Error* failure = nullptr;
  if (!buckets.empty()) failure = TRITONSERVER_MetricArgsNew(&args);
  if (failure == nullptr && args != nullptr) {
    failure = TRITONSERVER_MetricArgsSetHistogram(args, buckets.data(), buckets.size());
  }
  if (failure == nullptr) {
    failure = args == nullptr
                  ? TRITONSERVER_MetricNew(&handle_, family_->handle(), parameters.data(), parameters.size())
                  : TRITONSERVER_MetricNewWithArgs(&handle_, family_->handle(), parameters.data(),
                                                   parameters.size(), args);
  }
  for (const TRITONSERVER_Parameter* parameter : parameters) {
    TRITONSERVER_ParameterDelete(const_cast<TRITONSERVER_Parameter*>(parameter));
  }
  if (args != nullptr) detail::LogFailure(TRITONSERVER_MetricArgsDelete(args), "making a metric");
  Check(failure);
}

Metric::~Metric() { detail::LogFailure(TRITONSERVER_MetricDelete(handle_), "deleting a metric"); }

void Metric::Increment(double value) { Check(TRITONSERVER_MetricIncrement(handle_, value)); }
void Metric::Set(double value) { Check(TRITONSERVER_MetricSet(handle_, value)); }
void Metric::Observe(double value) { Check(TRITONSERVER_MetricObserve(handle_, value)); }

double Metric::value() const {
  double value = 0;
  Check(TRITONSERVER_MetricValue(handle_, &value));
  return value;
}

void RegisterMetrics(py::module_& module) {
  py::class_<Metric>(module, "Metric", py::module_local())
      .def("increment", &Metric::Increment)
      .def("set", &Metric::Set)
      .def("observe", &Metric::Observe)
      .def("value", &Metric::value);
  py::class_<MetricFamily, std::shared_ptr<MetricFamily>>(module, "MetricFamily", py::module_local())
      .def("metric", [](MetricFamily& self, const std::map<std::string, std::string>& labels,
                        const std::vector<double>& buckets) {
        return std::make_unique<Metric>(self.shared_from_this(), labels, buckets);
      });
}

}  // namespace workbench::python_backend
