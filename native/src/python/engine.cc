// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "python/array_inference.h"
#include "python/call.h"
#include "python/device_bytes.h"
#include "python/errors.h"
#include "python/model.h"
#include "python/module.h"
#include "python/spec.h"

namespace workbench {
namespace {

// Engines by what the core calls them. Guarded by the GIL; never destroyed.
std::map<const EngineBridge*, PyEngine*>& Engines() {
  static auto* const engines = new std::map<const EngineBridge*, PyEngine*>();
  return *engines;
}

MetricsOptions MetricsFrom(const py::dict& given) {
  MetricsOptions options;
  auto set = [&](const char* name, auto* target) {
    if (given.contains(name)) *target = given[name].cast<std::decay_t<decltype(*target)>>();
  };
  set("metrics", &options.is_on);
  set("counter_latencies", &options.has_counter_latencies);
  set("summary_latencies", &options.latencies.has_summaries);
  set("summary_quantiles", &options.latencies.quantiles);
  set("histogram_latencies", &options.latencies.has_first_response);
  set("first_response_buckets_ms", &options.latencies.first_response_buckets_ms);
  set("cpu_metrics", &options.has_machine);
  set("gpu_metrics", &options.has_gpus);
  return options;
}

void SetMemory(const py::dict& given, EngineOptions* options) {
  const auto set = [&](const char* key, auto* value) {
    using Value = std::remove_pointer_t<decltype(value)>;
    if (given.contains(key)) *value = given[key].cast<Value>();
  };
  set("pinned_memory_pool_byte_size", &options->pinned_memory_pool_byte_size);
  set("cuda_memory_pool_byte_sizes", &options->cuda_memory_pool_byte_sizes);
  set("pool_growth_byte_size", &options->pool_growth_byte_size);
  set("memory_event_byte_size", &options->memory_event_byte_size);
  set("strict_memory", &options->has_strict_memory);
  set("cuda_driver", &options->cuda_driver);
}

// Name, count, device.
using ResourceRow = std::tuple<std::string, uint32_t, int32_t>;

std::shared_ptr<PyEngine> NewEngine(const std::string& name, uint64_t pool_byte_size,
                                    uint64_t event_byte_size, const py::dict& metrics,
                                    uint64_t cache_byte_size,
                                    const std::optional<std::vector<ResourceRow>>& rate_limits,
                                    const std::optional<std::pair<std::string, std::string>>& cache_library,
                                    const HostPolicies& host_policies, uint64_t memory_limit_byte_size,
                                    const py::dict& memory) {
  EngineOptions options;
  options.name = name;
  options.pool_byte_size = pool_byte_size;
  options.event_byte_size = event_byte_size;
  options.metrics = MetricsFrom(metrics);
  options.cache_byte_size = cache_byte_size;
  options.host_policies = host_policies;
  options.memory_limit_byte_size = memory_limit_byte_size;
  SetMemory(memory, &options);
  if (cache_library) options.cache_library = CacheLibrary{cache_library->first, cache_library->second};
  if (rate_limits) {
    options.rate_limits.emplace();
    for (const auto& [resource, count, device] : *rate_limits)
      options.rate_limits->push_back({resource, count, device});
  }
  auto engine = std::make_shared<PyEngine>();
  engine->engine = ValueOrThrow(TheBridge().new_engine(options));
  Engines()[engine->engine.get()] = engine.get();
  return engine;
}

std::shared_ptr<PyBackend> OpenBackend(const std::shared_ptr<PyEngine>& self, const std::string& name,
                                       const std::string& path, const std::string& config_json) {
  Result<std::shared_ptr<BackendBridge>> opened = [&] {
    py::gil_scoped_release release;
    return self->engine->OpenBackend(name, path, config_json);
  }();
  auto backend = std::make_shared<PyBackend>();
  backend->engine = self;
  backend->backend = ValueOrThrow(std::move(opened));
  return backend;
}

py::list PreferredGroups(const PyBackend& self) {
  py::list groups;
  for (const PreferredGroup& group : self.backend->preferred_groups())
    groups.append(py::make_tuple(group.kind, group.count, py::tuple(py::cast(group.device_ids))));
  return groups;
}

std::shared_ptr<PyModel> CreateModel(const std::shared_ptr<PyEngine>& self, py::handle spec,
                                     const PyBackend* backend) {
  auto model = std::make_shared<PyModel>();
  model->engine = self;
  ModelSpec plain = ModelSpecFrom(spec);
  model->max_batch_size = plain.signature.max_batch_size;
  model->model = ValueOrThrow(
      self->engine->CreateModel(std::move(plain), backend == nullptr ? nullptr : backend->backend.get()));
  return model;
}

void SetCorrelation(py::handle id, CallOptions* options) {
  if (py::isinstance<py::str>(id)) {
    options->correlation_text = id.cast<std::string>();
  } else {
    options->correlation_id = id.cast<uint64_t>();
  }
}

void AddParameters(const py::dict& parameters, CallOptions* options) {
  for (auto [name, value] : parameters) {
    options->parameters.emplace_back(name.cast<std::string>(), value.cast<ParameterValue>());
  }
}

std::shared_ptr<PyCall> Submit(const std::shared_ptr<PyEngine>& self, const std::string& model,
                               int64_t version, py::handle inputs, const std::vector<std::string>& outputs,
                               const std::string& request_id, uint64_t priority, uint64_t timeout_us,
                               py::handle correlation_id, uint32_t flags, const py::dict& parameters,
                               bool queue, bool device_outputs, const py::dict& copies) {
  CallOptions options;
  options.wants_device_outputs = device_outputs;
  for (size_t reason = 0; !copies.empty() && reason < kCopyReasonNames.size(); ++reason) {
    if (copies.contains(kCopyReasonNames[reason]))
      options.copies[reason] = copies[kCopyReasonNames[reason]].cast<uint64_t>();
  }
  options.model = model;
  options.version = version;
  options.outputs = outputs;
  options.request_id = request_id;
  options.priority = priority;
  options.timeout_us = timeout_us;
  options.flags = flags;
  options.is_queued = queue;
  SetCorrelation(correlation_id, &options);
  AddParameters(parameters, &options);
  auto call = std::make_shared<PyCall>();
  call->engine = self;
  call->buffers = std::make_shared<BorrowedBuffers>();
  AddInputs(inputs, &options, call->buffers.get());
  // With the GIL: a queued call must be known before its completion can be read.
  call->call = ValueOrThrow(self->engine->Submit(options));
  return queue ? KeepQueued(std::move(call)) : call;
}

std::vector<std::shared_ptr<PyCall>> Completed(const PyEngine& self, double timeout_s) {
  std::vector<std::shared_ptr<CallBridge>> done;
  {
    py::gil_scoped_release release;
    done = self.engine->Completed(Nanoseconds(timeout_s));
  }
  std::vector<std::shared_ptr<PyCall>> calls;
  for (const auto& call : done) {
    if (auto taken = TakeQueued(call)) calls.push_back(std::move(taken));
  }
  return calls;
}

template <typename T>
py::array_t<T> ArrayOf(std::vector<T> values) {
  auto* const held = new std::vector<T>(std::move(values));
  const py::capsule owner(held, [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(held->size(), held->data(), owner);
}

py::tuple ReadEvents(const PyEngine& self, uint64_t since, size_t limit) {
  EventPage page;
  {
    py::gil_scoped_release release;
    page = self.engine->ReadEvents(since, limit);
  }
  return py::make_tuple(ArrayOf(std::move(page.events)), page.next_since, page.dropped);
}

const char* NameOf(MemoryType type) {
  if (type == MemoryType::kGpu) return "GPU";
  return type == MemoryType::kCpuPinned ? "CPU_PINNED" : "CPU";
}

py::list Pools(const PyEngine& self) {
  py::list pools;
  for (const PoolStatus& pool : self.engine->Pools()) {
    py::dict row;
    row["name"] = pool.name;
    row["memory_type"] = NameOf(pool.place.type);
    row["memory_type_id"] = pool.place.id;
    row["live_byte_size"] = pool.live_byte_size;
    row["reserved_byte_size"] = pool.reserved_byte_size;
    row["peak_byte_size"] = pool.peak_byte_size;
    row["limit_byte_size"] = pool.limit_byte_size;
    row["allocations"] = pool.allocations;
    row["hits"] = pool.hits;
    row["failures"] = pool.failures;
    row["fallbacks"] = pool.fallbacks;
    pools.append(row);
  }
  return pools;
}

std::optional<py::dict> CacheStatistics(const PyEngine& self) {
  const std::optional<CacheFigures> counts = self.engine->CacheStatistics();
  if (!counts) return std::nullopt;
  py::dict row;
  row["lookups"] = counts->lookups;
  row["hits"] = counts->hits;
  row["insertions"] = counts->insertions;
  row["evictions"] = counts->evictions;
  row["entries"] = counts->entries;
  row["byte_size"] = counts->byte_size;
  row["limit_byte_size"] = counts->limit_byte_size;
  return row;
}

}  // namespace

PyEngine::~PyEngine() { Engines().erase(engine.get()); }

std::shared_ptr<PyEngine> FindEngine(const EngineBridge* engine) {
  auto found = Engines().find(engine);
  return found == Engines().end() ? nullptr : found->second->weak_from_this().lock();
}

void RegisterEngine(py::module_& module) {
  py::class_<PyBackend, std::shared_ptr<PyBackend>>(module, "Backend", "An opened and initialised backend.")
      .def_property_readonly("name", [](const PyBackend& self) { return self.backend->name(); })
      .def_property_readonly("path", [](const PyBackend& self) { return self.backend->path(); })
      .def_property_readonly("preferred_instance_groups", &PreferredGroups);

  py::class_<PyEngine, std::shared_ptr<PyEngine>>(module, "Engine", "One serving core.")
      .def(py::init(&NewEngine), py::kw_only(), py::arg("name"), py::arg("pool_byte_size") = 256ull << 20,
           py::arg("event_byte_size") = 64ull << 20, py::arg("metrics") = py::dict(),
           py::arg("cache_byte_size") = 0, py::arg("rate_limits") = py::none(),
           py::arg("cache_library") = py::none(), py::arg("host_policies") = HostPolicies(),
           py::arg("memory_limit_byte_size") = 0, py::arg("memory") = py::dict())
      .def("open_backend", &OpenBackend, py::kw_only(), py::arg("name"), py::arg("path"),
           py::arg("config_json") = "{}")
      .def_property_readonly(
          "server_handle",
          [](const PyEngine& self) { return reinterpret_cast<uintptr_t>(self.engine->server_handle()); },
          "Address of the server as the C interface names it; while this object lives.")
      .def("metrics_page",
           [](const PyEngine& self) {
             py::gil_scoped_release release;
             return self.engine->MetricsPage();
           })
      .def("set_trace", &SetTrace, py::arg("model"), py::kw_only(), py::arg("level"), py::arg("rate"),
           py::arg("count"))
      .def("clear_trace", &ClearTrace, py::arg("model"))
      .def("take_traces", &TakeTraces)
      .def("wait_for_traces", &WaitForTraces, py::arg("timeout_s"))
      .def("create_model", &CreateModel, py::arg("spec"), py::arg("backend").none(true))
      .def(
          "publish",
          [](const PyEngine& self, const PyModel& model) {
            py::gil_scoped_release release;
            self.engine->Publish(*model.model);
          },
          py::arg("model"))
      .def(
          "retire",
          [](const PyEngine& self, const PyModel& model, bool keep_sequences) {
            py::gil_scoped_release release;
            self.engine->Retire(*model.model, keep_sequences);
          },
          py::arg("model"), py::kw_only(), py::arg("keep_sequences") = false)
      .def("submit", &Submit, py::arg("model"), py::arg("version"), py::arg("inputs"), py::kw_only(),
           py::arg("outputs") = std::vector<std::string>(), py::arg("request_id") = "",
           py::arg("priority") = 0, py::arg("timeout_us") = 0, py::arg("correlation_id") = 0,
           py::arg("flags") = 0, py::arg("parameters") = py::dict(), py::arg("queue") = false,
           py::arg("device_outputs") = false, py::arg("copies") = py::dict())
      .def("infer_arrays", &InferArrays, py::arg("model"), py::arg("version"), py::arg("inputs"))
      .def("completed", &Completed, py::arg("timeout_s"))
      .def("events", &ReadEvents, py::arg("since"), py::arg("limit"))
      .def("model_names", [](const PyEngine& self) { return self.engine->ModelNames(); })
      .def("pools", &Pools)
      .def(
          "pool_blocks",
          [](const PyEngine& self, const std::string& pool) {
            return ArrayOf(self.engine->PoolBlocks(pool));
          },
          py::arg("pool"))
      .def(
          "copy_to_host",
          [](const PyEngine& self, const DeviceBytes& bytes) {
            py::array_t<uint8_t> copy(static_cast<py::ssize_t>(bytes.byte_size));
            void* const target = copy.mutable_data();
            const Status status = [&] {
              py::gil_scoped_release release;
              return self.engine->CopyToHost(target, bytes.base, bytes.byte_size,
                                             {MemoryType::kGpu, bytes.device});
            }();
            ThrowIfError(status);
            return copy;
          },
          py::arg("memory"))
      .def("tensor_names", [](const PyEngine& self) { return self.engine->TensorNames(); })
      .def("cache_statistics", &CacheStatistics)
      .def("in_flight", [](const PyEngine& self) { return self.engine->in_flight(); });
}

}  // namespace workbench
