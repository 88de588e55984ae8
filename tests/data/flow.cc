// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps for ensembles: the configuration's parameter "behaviour" says what one does (see Flow::Execute), "addend" and
// "sleep_us" with what numbers. All tensors are FP32. For both servers.
#include <chrono>
#include <string>
#include <thread>
#include <vector>
#include <workbench/backend.hpp>

struct Options {  // one per model
  explicit Options(const workbench::Model& model)
      : behaviour(model.parameter("behaviour", "sum")),
        addend(static_cast<float>(model.parameter("addend", 0.0))),
        sleep_us(model.parameter("sleep_us", 0)),
        is_batched(model.max_batch_size() > 0) {
    for (const auto& output : model.config()["output"].elements()) outputs.push_back(output["name"].string());
  }
  std::string behaviour;
  float addend;
  int64_t sleep_us;
  bool is_batched;
  std::vector<std::string> outputs;
};

struct Flow {  // one per model instance
  explicit Flow(const Options& options) : options(options) {}

  void Execute(workbench::Request& request) {
    std::this_thread::sleep_for(std::chrono::microseconds(options.sleep_us));
    if (options.behaviour == "fail") return request.Fail(TRITONSERVER_ERROR_UNAVAILABLE, "not today");
    if (options.behaviour == "leave_out") return request.Send();
    if (options.behaviour == "repeat") return Repeat(request);
    if (options.behaviour == "tell") return Tell(request);
    Sum(request);
  }

  // Each output: the sum of the inputs that came, and the addend.
  void Sum(workbench::Request& request) {
    std::vector<float> sum;
    std::vector<int64_t> shape;
    for (uint32_t i = 0; i < request.input_count(); ++i) {
      const auto input = request.input(i);
      const auto values = input.as<float>();
      if (sum.empty()) {
        sum.assign(values.size(), options.addend);
        shape.assign(input.shape().begin(), input.shape().end());
      }
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += values[k];
    }
    Write(request, sum, shape);
  }

  // As many responses as the first number of the first input says, 1 at least: 0, 1, 2 and so on, plus the addend.
  void Repeat(workbench::Request& request) {
    const auto input = request.input(uint32_t{0});
    const auto values = input.as<float>();
    const std::vector<int64_t> shape(input.shape().begin(), input.shape().end());
    int number = 0;
    do {
      Write(request, std::vector<float>(values.size(), options.addend + static_cast<float>(number)), shape);
      request.SendPartial();
    } while (++number < static_cast<int>(values[0]));
  }

  // What travels beside the tensors: flags, correlation id, length of the request's id.
  void Tell(workbench::Request& request) {
    const std::vector<float> told = {static_cast<float>(request.flags()),
                                     static_cast<float>(request.correlation_id()),
                                     static_cast<float>(request.id().size())};
    Write(request, told, options.is_batched ? std::vector<int64_t>{1, 3} : std::vector<int64_t>{3});
  }

  void Write(workbench::Request& request, const std::vector<float>& values, const std::vector<int64_t>& shape) {
    for (const std::string& name : options.outputs) request.output(name.c_str()).Write(values, shape);
  }

  const Options& options;
};

WORKBENCH_BACKEND(Flow, Options)
