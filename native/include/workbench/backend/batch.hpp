// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Batch: the requests of one execution. One lives in each instance and is filled anew; used by one thread at
// a time.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workbench/backend/copies.hpp"
#include "workbench/backend/model.hpp"
#include "workbench/backend/ragged.hpp"
#include "workbench/backend/request.hpp"

namespace workbench {

class Batch {
 public:
  explicit Batch(const Instance& instance);
  ~Batch();

  // ---- The requests ----
  size_t size() const { return requests_.size(); }
  Request& operator[](size_t index) { return requests_[index]; }
  std::vector<Request>::iterator begin() { return requests_.begin(); }
  std::vector<Request>::iterator end() { return requests_.end(); }
  // Rows of all requests: the batch size that a model sees.
  int64_t rows() const;
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
    return AddScattered<T>({name, {row_shape.begin(), row_shape.end()}, nullptr}, rows() * row_count);
  }

  // ---- Requests of different shapes (inputs with allow_ragged_batch; Gather joins those too) ----
  // What the configuration's batch_input computes of the requests, by the name of its target.
  BatchTensor BatchInput(const char* target);
  // Memory for an output of the configuration's batch_output, all requests' parts one after the other. It is
  // dealt as Scatter's is; the sizes that vary are each request's own of the source input.
  template <typename T>
  Span<T> ScatterAsInput(const char* name) {
    const detail::BatchOutputRule& rule = OutputRule(name);
    return AddScattered<T>({name, {}, &rule}, ElementCountBy(rule));
  }

  // ---- When the computing began and ended ----
  // Gather marks the start and the return from Execute the end, unless the backend says so itself.
  void MarkComputeStart() { compute_start_ns_ = Now(); }
  void MarkComputeEnd() { compute_end_ns_ = Now(); }

  const Instance& instance() const { return instance_; }
  const Model& model() const { return instance_.model(); }

  // ---- For the entry point ----
  // From here on the requests are the batch's to answer and release: nothing after Begin may fail.
  void Begin(TRITONBACKEND_Request** requests, uint32_t count);
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
  void End() noexcept;

  // ---- Answers after Execute has returned ----
  // The requests, to be answered by Finish on any thread; this batch is left empty. The instance's state must
  // outlive what it detached: its destructor waits for it. Pointers that Gather and Scatter gave stay valid.
  std::unique_ptr<Batch> Detach();
  // Deals what was scattered, sends, reports, releases.
  void Finish() noexcept {
    Run([] {});
    End();
  }

 private:
  struct Scattered {
    const char* name;
    std::vector<int64_t> row_shape;
    const detail::BatchOutputRule* rule;  // null: rows of row_shape
    TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
    const char* elements = nullptr;
    size_t element_byte_size = 0;
  };
  // Rules are read from the configuration when they are first asked for, and stay where they are.
  template <typename Rule>
  using Rules = std::deque<std::pair<std::string, Rule>>;
  template <typename Rule>
  const Rule& RuleOf(Rules<Rule>* rules, const char* target);
  const detail::BatchOutputRule& OutputRule(const char* target);
  int64_t ElementCountBy(const detail::BatchOutputRule& rule) const;
  std::vector<Shape> ShapesOf(const char* input) const;

  template <typename T>
  Span<T> AddScattered(Scattered output, int64_t count) {
    T* const elements = static_cast<T*>(scratch_.Take(static_cast<size_t>(count) * sizeof(T)));
    output.type = DataTypeOf<T>::value;
    output.elements = reinterpret_cast<const char*>(elements);
    output.element_byte_size = sizeof(T);
    scattered_.push_back(std::move(output));
    return {elements, static_cast<size_t>(count)};
  }

  static uint64_t Now();

  std::vector<int64_t> RequestShape(const Request& request, Shape row_shape) const;

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
    ReportCopy(instance_.handle(), CopyReason::kGathered, byte_size);
    return {reinterpret_cast<const T*>(copy), byte_size / sizeof(T)};
  }

  std::vector<int64_t> ShapeOf(const Scattered& output, const Request& request) const;
  void Deal(const Scattered& output);

  void ReportStatistics() noexcept;

  static int64_t RowsOrOne(const Request& request) noexcept;

  const Instance& instance_;
  detail::Scratch scratch_;
  std::vector<Request> requests_;
  std::vector<Scattered> scattered_;
  Rules<detail::BatchInputRule> batch_inputs_;
  Rules<detail::BatchOutputRule> batch_outputs_;
  uint64_t exec_start_ns_ = 0;
  uint64_t compute_start_ns_ = 0;
  uint64_t compute_end_ns_ = 0;
};

}  // namespace workbench

#ifndef WORKBENCH_BACKEND_LINKED
#include "workbench/backend/definitions/batch.hpp"
#endif
