// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for a model that one does not have: it takes as long, and as much memory, as it is told to.
// Parameters (all optional):
//   tau0_us, alpha_us   an execution of n rows takes tau0_us + alpha_us * n microseconds            [0, 0]
//   jitter              sigma of the log-normal factor on that time, whose median is 1               [0]
//   mode                `sleep` leaves the processor to others, `spin` keeps it busy                 [sleep]
//   memory_bytes        bytes that each instance takes from the server's memory manager              [0]
//   failure_rate        share of requests that are answered by an error                              [0]
//   seed                of jitter and failures; each instance adds the number in its name            [1]
// An output repeats the input at its place where type and size agree, and is zero elsewhere.
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>
#include <workbench/backend.hpp>

#include "outputs.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Behaviour {
  explicit Behaviour(const workbench::Model& model)
      : tau0_us(model.parameter("tau0_us", 0.0)),
        alpha_us(model.parameter("alpha_us", 0.0)),
        jitter(model.parameter("jitter", 0.0)),
        memory_bytes(model.parameter("memory_bytes", 0)),
        failure_rate(model.parameter("failure_rate", 0.0)),
        seed(static_cast<uint64_t>(model.parameter("seed", 1))),
        outputs(synthetic::ReadOutputs(model)),
        has_batch_dimension(model.max_batch_size() > 0) {
    const std::string mode = model.parameter("mode", "sleep");
    is_spinning = mode == "spin";
    Require(is_spinning || mode == "sleep", "mode", mode + "; it is sleep or spin");
    Require(tau0_us >= 0 && alpha_us >= 0, "tau0_us, alpha_us", "negative");
    Require(jitter >= 0, "jitter", "negative");
    Require(memory_bytes >= 0, "memory_bytes", "negative");
    Require(failure_rate >= 0 && failure_rate <= 1, "failure_rate", "outside 0 to 1");
  }

  static void Require(bool is_right, const std::string& name, const std::string& what) {
    if (!is_right) throw workbench::InvalidArgument("parameter " + name + " is " + what);
  }

  double tau0_us, alpha_us, jitter;
  int64_t memory_bytes;
  double failure_rate;
  uint64_t seed;
  std::vector<synthetic::OutputRule> outputs;
  bool has_batch_dimension;
  bool is_spinning;
};

class Synthetic {
 public:
  Synthetic(const Behaviour& behaviour, const workbench::Instance& instance)
      : behaviour_(behaviour), random_(behaviour.seed + std::hash<std::string>()(instance.name())) {
    if (behaviour.memory_bytes > 0) {
      memory_ = workbench::Memory(instance.model(), static_cast<uint64_t>(behaviour.memory_bytes));
    }
  }

  void Execute(workbench::Batch& batch) {
    const Clock::time_point end = Clock::now() + ServiceTime(batch.rows());
    batch.ForEach([this](workbench::Request& request) { Answer(request); });
    if (!behaviour_.is_spinning) return std::this_thread::sleep_until(end);
    while (Clock::now() < end) {
    }
  }

 private:
  Clock::duration ServiceTime(int64_t rows) {
    double us = behaviour_.tau0_us + behaviour_.alpha_us * static_cast<double>(rows);
    if (behaviour_.jitter > 0) us *= std::exp(behaviour_.jitter * normal_(random_));
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::micro>(us));
  }

  void Answer(workbench::Request& request) {
    if (behaviour_.failure_rate > 0 && uniform_(random_) < behaviour_.failure_rate) {
      throw workbench::Internal("a failure that parameter failure_rate asked for");
    }
    for (const synthetic::OutputRule& rule : behaviour_.outputs) {
      if (request.wants(rule.name.c_str())) synthetic::Fill(rule, behaviour_.has_batch_dimension, request);
    }
  }

  const Behaviour& behaviour_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  workbench::Memory memory_;
};

}  // namespace

WORKBENCH_BACKEND(Synthetic, Behaviour)
