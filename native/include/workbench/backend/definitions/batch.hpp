// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// What batch.hpp declares.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>

#include "workbench/backend/batch.hpp"

namespace workbench {

WB_INLINE Batch::Batch(const Instance& instance) : instance_(instance) {}
WB_INLINE Batch::~Batch() = default;

WB_INLINE int64_t Batch::rows() const {
  int64_t rows = 0;
  for (const Request& request : requests_) rows += request.rows();
  return rows;
}

WB_INLINE void Batch::Begin(TRITONBACKEND_Request** requests, uint32_t count) {
  exec_start_ns_ = Now();
  compute_start_ns_ = compute_end_ns_ = 0;
  requests_.clear();
  requests_.reserve(count);
  scattered_.clear();
  scratch_.Reset();
  for (uint32_t i = 0; i < count; ++i)
    requests_.emplace_back(requests[i], model().max_batch_size() > 0, &scratch_);
}

WB_INLINE std::unique_ptr<Batch> Batch::Detach() {
  auto detached = std::make_unique<Batch>(instance_);
  std::swap(detached->scratch_, scratch_);
  detached->requests_.swap(requests_);
  for (Request& request : detached->requests_) request.MoveTo(&detached->scratch_);
  detached->scattered_.swap(scattered_);
  detached->exec_start_ns_ = exec_start_ns_;
  detached->compute_start_ns_ = compute_start_ns_;
  detached->compute_end_ns_ = compute_end_ns_;
  return detached;
}

WB_INLINE void Batch::End() noexcept {
  if (requests_.empty()) return;  // detached
  for (Request& request : requests_) request.Finish();
  ReportStatistics();
  for (Request& request : requests_) request.Release();
  requests_.clear();
}

WB_INLINE uint64_t Batch::Now() {
  const auto since_epoch = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
}

WB_INLINE std::vector<int64_t> Batch::RequestShape(const Request& request, Shape row_shape) const {
  const bool is_batched = model().max_batch_size() > 0;
  std::vector<int64_t> shape(row_shape.size() + (is_batched ? 1 : 0));
  if (is_batched) shape[0] = request.rows();
  std::copy(row_shape.begin(), row_shape.end(), shape.end() - static_cast<ptrdiff_t>(row_shape.size()));
  return shape;
}

WB_INLINE std::vector<int64_t> Batch::ShapeOf(const Scattered& output, const Request& request) const {
  if (output.rule == nullptr) return RequestShape(request, output.row_shape);
  return output.rule->ShapeFor(request.input(output.rule->source().c_str()).shape());
}

WB_INLINE void Batch::Deal(const Scattered& output) {
  const char* elements = output.elements;
  uint64_t dealt = 0;
  for (Request& request : requests_) {
    const std::vector<int64_t> shape = ShapeOf(output, request);
    const size_t byte_size = static_cast<size_t>(ElementCount(shape)) * output.element_byte_size;
    if (!request.has_failed()) {
      void* data = request.output(output.name).Allocate(output.type, shape, byte_size);
      std::memcpy(data, elements, byte_size);
      dealt += byte_size;
    }
    elements += byte_size;
  }
  ReportCopy(instance_.handle(), CopyReason::kScattered, dealt);
}

template <typename Rule>
const Rule& Batch::RuleOf(Rules<Rule>* rules, const char* target) {
  for (const auto& [name, rule] : *rules) {
    if (name == target) return rule;
  }
  return rules->emplace_back(target, Rule(model().config(), target)).second;
}

WB_INLINE std::vector<Shape> Batch::ShapesOf(const char* input) const {
  std::vector<Shape> shapes;
  for (const Request& request : requests_) shapes.push_back(request.input(input).shape());
  return shapes;
}

WB_INLINE BatchTensor Batch::BatchInput(const char* target) {
  const detail::BatchInputRule& rule = RuleOf(&batch_inputs_, target);
  const std::vector<Shape> shapes = ShapesOf(rule.source().c_str());
  std::vector<int64_t> shape = rule.ShapeFor(shapes);
  const size_t byte_size = static_cast<size_t>(ElementCount(shape)) * sizeof(int32_t);
  char* const bytes = static_cast<char*>(scratch_.Take(byte_size));
  rule.Fill(shapes, bytes);
  return BatchTensor(rule.type(), std::move(shape), {bytes, byte_size});
}

WB_INLINE const detail::BatchOutputRule& Batch::OutputRule(const char* target) {
  return RuleOf(&batch_outputs_, target);
}

WB_INLINE int64_t Batch::ElementCountBy(const detail::BatchOutputRule& rule) const {
  int64_t count = 0;
  for (const Shape& shape : ShapesOf(rule.source().c_str())) count += ElementCount(rule.ShapeFor(shape));
  return count;
}

WB_INLINE void Batch::ReportStatistics() noexcept {
  // A server that meets a zero or a backward step would count a queue time of centuries.
  const uint64_t compute_start = std::max(compute_start_ns_, exec_start_ns_);
  const uint64_t compute_end = std::max(compute_end_ns_, compute_start);
  const uint64_t exec_end = std::max(Now(), compute_end);
  int64_t rows = 0;
  for (const Request& request : requests_) {
    detail::LogFailure(TRITONBACKEND_ModelInstanceReportStatistics(instance_.handle(), request.handle(),
                                                                   !request.has_failed(), exec_start_ns_,
                                                                   compute_start, compute_end, exec_end),
                       "reporting statistics");
    rows += RowsOrOne(request);
  }
  detail::LogFailure(
      TRITONBACKEND_ModelInstanceReportBatchStatistics(instance_.handle(), static_cast<uint64_t>(rows),
                                                       exec_start_ns_, compute_start, compute_end, exec_end),
      "reporting statistics");
}

WB_INLINE int64_t Batch::RowsOrOne(const Request& request) noexcept {
  try {
    return request.rows();
  } catch (...) {
    return 1;
  }
}

}  // namespace workbench
