// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers each output with the input that stands at the same place of the configuration.
// Parameter `execute_delay_ms`: how long an execution sleeps besides.
#include <chrono>
#include <string>
#include <thread>
#include <vector>
#include <workbench/backend.hpp>

namespace {

using workbench::Json;

// The outputs of a model, each with the input that it repeats.
struct Pairs {
  explicit Pairs(const workbench::Model& model) : delay(model.parameter("execute_delay_ms", 0)) {
    const Json inputs = model.config()["input"];
    const Json outputs = model.config()["output"];
    if (outputs.size() > inputs.size()) {
      throw workbench::InvalidArgument("model '" + model.name() + "' has " + std::to_string(outputs.size()) +
                                       " outputs and " + std::to_string(inputs.size()) +
                                       " inputs: identity needs an input for each output");
    }
    for (size_t i = 0; i < outputs.size(); ++i) Add(inputs[i], outputs[i]);
  }

  void Add(const Json& input, const Json& output) {
    const std::string from = input["data_type"].string();
    const std::string to = output["data_type"].string();
    if (from != to) {
      throw workbench::InvalidArgument("output '" + output["name"].string() + "' is " + to +
                                       " and its input '" + input["name"].string() + "' is " + from +
                                       ": identity changes no type");
    }
    names.push_back({input["name"].string(), output["name"].string()});
  }

  struct Names {
    std::string input, output;
  };
  std::vector<Names> names;
  std::chrono::milliseconds delay;
};

class Identity {
 public:
  explicit Identity(const Pairs& pairs) : pairs_(pairs) {}

  void Execute(workbench::Batch& batch) {
    if (pairs_.delay.count() > 0) std::this_thread::sleep_for(pairs_.delay);
    batch.ForEach([this](workbench::Request& request) { Answer(request); });
  }

 private:
  void Answer(workbench::Request& request) const {
    for (const Pairs::Names& names : pairs_.names) {
      if (!request.wants(names.output.c_str())) continue;
      // An optional input that is absent leaves its output out.
      if (request.has_input(names.input.c_str())) {
        request.output(names.output.c_str()).CopyFrom(request.input(names.input.c_str()));
      }
    }
  }

  const Pairs& pairs_;
};

}  // namespace

WORKBENCH_BACKEND(Identity, Pairs)
