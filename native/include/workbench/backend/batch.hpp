// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Batch: the requests of one execution. One lives in each instance and is filled anew; used by one thread at
// a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "workbench/backend/model.hpp"
#include "workbench/backend/request.hpp"

namespace workbench {

class Batch {
 public:
  explicit Batch(const Instance& instance) : instance_(instance) {}

  // ---- The requests ----
  size_t size() const { return requests_.size(); }
  Request& operator[](size_t index) { return requests_[index]; }
  std::vector<Request>::iterator begin() { return requests_.begin(); }
  std::vector<Request>::iterator end() { return requests_.end(); }
  // Rows of all requests: the batch size that a model sees.
  int64_t rows() const {
    int64_t rows = 0;
    for (const Request& request : requests_) rows += request.rows();
    return rows;
  }
  // Calls body for each request; what it throws fails that request alone.
  template <typename Body>
  void ForEach(Body&& body) {
    for (Request& request : requests_) {
      try {
        body(request);
      } catch (...) {
        request.Fail(detail::CurrentError());
      }
    }
  }

  // ---- One engine call for all of them ----
  // The input's elements of all requests, one after the other: borrowed from a lone request, else copied in
  // one pass. Throws INVALID_ARG where an element type is not T's.
  template <typename T>
  Span<const T> Gather(const char* name) {
    const Span<const T> elements = size() == 1 ? requests_[0].input(name).as<T>() : Concatenate<T>(name);
    MarkComputeStart();
    return elements;
  }
  // Memory for rows() rows of an output of shape {rows of the request, row_shape...}. What it holds when
  // Execute returns is dealt to the requests; a lone request's is the response's own buffer.
  template <typename T>
  Span<T> Scatter(const char* name, Shape row_shape) {
    const int64_t row_count = ElementCount(row_shape);
    if (size() == 1) return requests_[0].output(name).Allocate<T>(RequestShape(requests_[0], row_shape));
    const auto count = static_cast<size_t>(rows() * row_count);
    T* elements = static_cast<T*>(scratch_.Take(count * sizeof(T)));
    scattered_.push_back({name,
                          DataTypeOf<T>::value,
                          {row_shape.begin(), row_shape.end()},
                          reinterpret_cast<const char*>(elements),
                          static_cast<size_t>(row_count) * sizeof(T)});
    return {elements, count};
  }

  // ---- When the computing began and ended ----
  // Gather marks the start and the return from Execute the end, unless the backend says so itself.
  void MarkComputeStart() { compute_start_ns_ = Now(); }
  void MarkComputeEnd() { compute_end_ns_ = Now(); }

  const Instance& instance() const { return instance_; }
  const Model& model() const { return instance_.model(); }

  // ---- For the entry point ----
  // From here on the requests are the batch's to answer and release: nothing after Begin may fail.
  void Begin(TRITONBACKEND_Request** requests, uint32_t count) {
    exec_start_ns_ = Now();
    compute_start_ns_ = compute_end_ns_ = 0;
    requests_.clear();
    requests_.reserve(count);
    scattered_.clear();
    scratch_.Reset();
    for (uint32_t i = 0; i < count; ++i)
      requests_.emplace_back(requests[i], model().max_batch_size() > 0, &scratch_);
  }
  // Runs the backend's code; what it throws fails all requests that have no final response yet.
  template <typename Body>
  void Run(Body&& body) noexcept {
    try {
      body();
      if (compute_end_ns_ == 0) MarkComputeEnd();
      for (const Scattered& output : scattered_) Deal(output);
    } catch (...) {
      const Error error = detail::CurrentError();
      for (Request& request : requests_) request.Fail(error);
    }
  }
  // Sends, reports and releases what Run left.
  void End() noexcept {
    for (Request& request : requests_) request.Finish();
    ReportStatistics();
    for (Request& request : requests_) request.Release();
    requests_.clear();
  }

 private:
  struct Scattered {
    const char* name;
    TRITONSERVER_DataType type;
    std::vector<int64_t> row_shape;
    const char* elements;
    size_t row_byte_size;
  };

  static uint64_t Now() {
    const auto since_epoch = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_epoch).count());
  }

  std::vector<int64_t> RequestShape(const Request& request, Shape row_shape) const {
    const bool is_batched = model().max_batch_size() > 0;
    std::vector<int64_t> shape(row_shape.size() + (is_batched ? 1 : 0));
    if (is_batched) shape[0] = request.rows();
    std::copy(row_shape.begin(), row_shape.end(), shape.end() - static_cast<ptrdiff_t>(row_shape.size()));
    return shape;
  }

  template <typename T>
  Span<const T> Concatenate(const char* name) {
    size_t byte_size = 0;
    for (const Request& request : requests_) byte_size += request.input(name).byte_size();
    char* const copy = static_cast<char*>(scratch_.Take(byte_size));
    char* end = copy;
    for (const Request& request : requests_) {
      const Input input = request.input(name);
      input.RequireType(DataTypeOf<T>::value);
      input.CopyTo(end);
      end += input.byte_size();
    }
    return {reinterpret_cast<const T*>(copy), byte_size / sizeof(T)};
  }

  void Deal(const Scattered& output) {
    const char* rows = output.elements;
    for (Request& request : requests_) {
      const size_t byte_size = static_cast<size_t>(request.rows()) * output.row_byte_size;
      if (!request.has_failed()) {
        const std::vector<int64_t> shape = RequestShape(request, output.row_shape);
        void* data = request.output(output.name).Allocate(output.type, shape, byte_size);
        std::memcpy(data, rows, byte_size);
      }
      rows += byte_size;
    }
  }

  void ReportStatistics() noexcept {
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
    detail::LogFailure(TRITONBACKEND_ModelInstanceReportBatchStatistics(
                           instance_.handle(), static_cast<uint64_t>(rows), exec_start_ns_, compute_start,
                           compute_end, exec_end),
                       "reporting statistics");
  }

  static int64_t RowsOrOne(const Request& request) noexcept {
    try {
      return request.rows();
    } catch (...) {
      return 1;
    }
  }

  const Instance& instance_;
  detail::Scratch scratch_;
  std::vector<Request> requests_;
  std::vector<Scattered> scattered_;
  uint64_t exec_start_ns_ = 0;
  uint64_t compute_start_ns_ = 0;
  uint64_t compute_end_ns_ = 0;
};

}  // namespace workbench
