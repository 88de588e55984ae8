// SPDX-FileCopyrightText: 2026 The workbench authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <map>
#include <mutex>
#include <utility>

#include "python/errors.h"
#include "python/module.h"

namespace workbench {
namespace {

Status StatusOf(const py::error_already_set& error) {
  const py::object value = error.value();
  const std::string code =
      py::hasattr(value, "code") ? py::str(value.attr("code")).cast<std::string>() : "INTERNAL";
  return Status(CodeNamed(code), py::str(value).cast<std::string>());
}

py::list Rows(const std::vector<NamedSetting>& settings) {
  py::list rows;
  for (const NamedSetting& row : settings) rows.append(py::make_tuple(row.name, row.setting, row.value));
  return rows;
}

py::list Rows(const std::vector<RateLimiterResource>& resources) {
  py::list rows;
  for (const RateLimiterResource& row : resources)
    rows.append(py::make_tuple(row.name, row.count, row.device));
  return rows;
}

py::dict MemoryDict(const ServerOptions& options) {
  py::dict dict;
  dict["pinned_memory_pool_byte_size"] = options.pinned_memory_pool_byte_size;
  dict["cuda_memory_pool_byte_sizes"] = options.cuda_memory_pool_byte_sizes;
  dict["cuda_virtual_address_sizes"] = options.cuda_virtual_address_sizes;
  dict["min_compute_capability"] = options.min_compute_capability;
  dict["enable_peer_access"] = options.enable_peer_access;
  return dict;
}

py::dict MetricsDict(const ServerOptions& options) {
  py::dict dict;
  dict["metrics"] = options.metrics;
  dict["gpu_metrics"] = options.gpu_metrics;
  dict["cpu_metrics"] = options.cpu_metrics;
  dict["metrics_interval_ms"] = options.metrics_interval_ms;
  dict["metrics_settings"] = Rows(options.metrics_settings);
  return dict;
}

py::dict ToDict(const ServerOptions& options) {
  py::dict dict;
  dict["repositories"] = options.repositories;
  dict["backend_directory"] = options.backend_directory;
  dict["startup_models"] = options.startup_models;
  dict["server_id"] = options.server_id;
  dict["control_mode"] = options.control_mode;
  dict["is_strict"] = options.is_strict;
  dict["exit_timeout_s"] = options.exit_timeout_s;
  dict["exit_on_error"] = options.exit_on_error;
  dict["strict_readiness"] = options.strict_readiness;
  dict["model_config_name"] = options.model_config_name;
  dict["rate_limit_mode"] = options.rate_limit_mode;
  dict["rate_limiter_resources"] = Rows(options.rate_limiter_resources);
  dict["cache_configs"] = options.cache_configs;
  dict["cache_directory"] = options.cache_directory;
  dict["repo_agent_directory"] = options.repo_agent_directory;
  dict["backend_settings"] = Rows(options.backend_settings);
  dict["host_policy_settings"] = Rows(options.host_policy_settings);
  dict["buffer_manager_thread_count"] = options.buffer_manager_thread_count;
  dict["model_load_thread_count"] = options.model_load_thread_count;
  dict["model_load_retry_count"] = options.model_load_retry_count;
  dict["model_namespacing"] = options.model_namespacing;
  dict.attr("update")(MemoryDict(options));
  dict.attr("update")(MetricsDict(options));
  return dict;
}

py::dict ToDict(const LoadOverride& override) {
  py::dict files;
  for (const auto& [path, content] : override.files) files[py::str(path)] = py::bytes(content);
  py::dict dict;
  dict["config"] = override.has_config ? py::object(py::str(override.config_json)) : py::none();
  dict["files"] = files;
  return dict;
}

// The control plane in Python: an object whose methods are called with the GIL, on whichever thread asked.
class PyControlPlane final : public ControlPlane {
 public:
  explicit PyControlPlane(py::object hooks) : hooks_(std::move(hooks)) {}
  ~PyControlPlane() override {
    py::gil_scoped_acquire acquire;
    engines_.clear();
    hooks_ = py::object();
  }

  Result<EngineBridge*> NewServer(const ServerOptions& options) override {
    py::gil_scoped_acquire acquire;
    try {
      py::object engine = hooks_.attr("server_new")(ToDict(options));
      EngineBridge* const bridge = engine.cast<std::shared_ptr<PyEngine>>()->engine.get();
      engines_[bridge] = std::move(engine);
      return bridge;
    } catch (const py::error_already_set& error) {
      return StatusOf(error);
    }
  }

  Status DeleteServer(EngineBridge* engine) override {
    return Call([&] {
      hooks_.attr("server_delete")(Find(engine));
      engines_.erase(engine);
    });
  }

  Status LoadModel(EngineBridge* engine, const std::string& name) override {
    return Call([&] { hooks_.attr("load_model")(Find(engine), name); });
  }

  Status UnloadModel(EngineBridge* engine, const std::string& name, bool with_dependents) override {
    return Call([&] { hooks_.attr("unload_model")(Find(engine), name, with_dependents); });
  }

  Status StopServer(EngineBridge* engine) override {
    return Call([&] { hooks_.attr("server_stop")(Find(engine)); });
  }

  Status SetExitTimeout(EngineBridge* engine, unsigned seconds) override {
    return Call([&] { hooks_.attr("set_exit_timeout")(Find(engine), seconds); });
  }

  Status RegisterRepository(EngineBridge* engine, const std::string& path,
                            const std::map<std::string, std::string>& folders) override {
    return Call([&] { hooks_.attr("register_repository")(Find(engine), path, folders); });
  }

  Status UnregisterRepository(EngineBridge* engine, const std::string& path) override {
    return Call([&] { hooks_.attr("unregister_repository")(Find(engine), path); });
  }

  Status PollRepositories(EngineBridge* engine) override {
    return Call([&] { hooks_.attr("poll_repositories")(Find(engine)); });
  }

  Status LoadModelWith(EngineBridge* engine, const std::string& name, const LoadOverride& override) override {
    return Call([&] { hooks_.attr("load_model_with")(Find(engine), name, **ToDict(override)); });
  }

  Result<std::string> Describe(EngineBridge* engine, const std::string& topic, const std::string& model,
                               int64_t version) override {
    std::string json;
    const Status status = Call([&] {
      json = py::str(hooks_.attr("describe")(Find(engine), topic, model, version)).cast<std::string>();
    });
    if (!status.ok()) return status;
    return json;
  }

 private:
  template <typename Body>
  Status Call(const Body& body) {
    py::gil_scoped_acquire acquire;
    try {
      body();
      return OkStatus();
    } catch (const py::error_already_set& error) {
      return StatusOf(error);
    }
  }

  static py::object Find(EngineBridge* engine) {
    std::shared_ptr<PyEngine> found = FindEngine(engine);
    return found ? py::cast(std::move(found)) : py::none();
  }

  // Guarded by the GIL.
  py::object hooks_;
  std::map<EngineBridge*, py::object> engines_;
};

void SetHooks(py::object hooks) {
  std::shared_ptr<ControlPlane> control_plane;
  if (!hooks.is_none()) control_plane = std::make_shared<PyControlPlane>(std::move(hooks));
  py::gil_scoped_release release;  // the one before may be destroyed here, and takes the GIL for it
  TheBridge().set_control_plane(std::move(control_plane));
}

}  // namespace

void RegisterControlPlane(py::module_& module) {
  module.def("set_hooks", &SetHooks, py::arg("hooks"),
             "Makes `hooks` the control plane of the C interface; None takes it away.");
}

}  // namespace workbench
