// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells where and how it runs. Parameters of the configuration: "complete" is the JSON of the configuration that it sets
// where it may; "fail_loads" how many of its loads fail at first, counted in a file of the folder "counts", since a model
// is also tried in other processes; "fail_from" how many requests an instance answers before it fails. For both servers.
//
// OUT, FP32[4]: the first byte of `<version>/data` (-1: none), the cores that the executing thread may run on as bits,
// how many requests the instance had answered before, and the first number of the first of them.
#include <sched.h>

#include <fstream>
#include <string>
#include <workbench/backend.hpp>

// How often it was asked before.
int64_t CountOf(const std::string& file) {
  int64_t count = 0;
  std::ifstream(file) >> count;
  std::ofstream(file) << count + 1;
  return count;
}

struct Told {  // one per model
  explicit Told(const workbench::Model& model)
      : counts(model.parameter("counts", "/nowhere") + "/" + model.name()),
        fail_loads(model.parameter("fail_loads", 0)),
        fail_from(model.parameter("fail_from", -1)) {
    std::ifstream file(model.folder() + "/" + std::to_string(model.version()) + "/data");
    if (file) first_byte = static_cast<float>(file.get());
    Complete(model);
  }

  static void Complete(const workbench::Model& model) {
    bool may_complete = false;
    workbench::Check(TRITONBACKEND_ModelAutoCompleteConfig(model.handle(), &may_complete));
    if (!may_complete || !model.has_parameter("complete")) return;
    const std::string text = model.parameter("complete");
    TRITONSERVER_Message* message = nullptr;
    workbench::Check(TRITONSERVER_MessageNewFromSerializedJson(&message, text.data(), text.size()));
    TRITONSERVER_Error* const error = TRITONBACKEND_ModelSetConfig(model.handle(), 1, message);
    workbench::Check(TRITONSERVER_MessageDelete(message));
    workbench::Check(error);
  }

  std::string counts;
  int64_t fail_loads;
  int64_t fail_from;
  float first_byte = -1;
};

struct Witness {  // one per model instance
  explicit Witness(const Told& told) : told(told) {
    if (told.fail_loads > 0 && CountOf(told.counts + ".loads") < told.fail_loads) {
      throw workbench::Error(TRITONSERVER_ERROR_NOT_FOUND, "no weights");
    }
  }

  void Execute(workbench::Request& request) {
    if (answered == told.fail_from) return request.Fail(TRITONSERVER_ERROR_UNAVAILABLE, "not today");
    const auto input = request.input(uint32_t{0});
    const auto values = input.as<float>();
    if (answered == 0) first_value = values[0];
    std::vector<int64_t> shape(input.shape().begin(), input.shape().end());
    shape.back() = 4;
    const std::vector<float> out = {told.first_byte, AllowedCores(), static_cast<float>(answered++), first_value};
    request.output("OUT").Write(out, shape);
  }

  static float AllowedCores() {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    float bits = 0;
    for (int core = 0; core < 16; ++core) bits += CPU_ISSET(core, &set) ? static_cast<float>(1 << core) : 0;
    return bits;
  }

  const Told& told;
  int answered = 0;
  float first_value = 0;
};

WORKBENCH_BACKEND(Witness, Told)
