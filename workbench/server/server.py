# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The server in the kernel: wires the repository, the core and the backends together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Final, Self

from workbench.errors import LoadError
from workbench.repository import Engine, Loader, ModelRepository, Poll, Sources
from workbench.server.builds import Trial, built_library, on_build
from workbench.server.completions import Completions
from workbench.server.core import new_engine
from workbench.server.devices import device_memory, gpu_count
from workbench.server.doors import Doors, OpenServer
from workbench.server.finder import BackendFinder
from workbench.server.managed import ManagedServer
from workbench.server.observed import ObservedServer
from workbench.server.onnxruntime_wheel import with_library
from workbench.server.options import DEFAULTS, ControlMode, HostPolicies, ServerOptions
from workbench.server.parts import ServerParts
from workbench.server.python_backends import with_model_files
from workbench.server.recorder import Recorders
from workbench.server.running import RUNNING
from workbench.server.scarce import CacheLibrary, RateLimit, Resources
from workbench.server.trace import TraceBook

_NONE: Final[Mapping[str, Any]] = {}
_NO_RESOURCES: Final[Resources] = {}
_NO_SIZES: Final[Mapping[int, int]] = {}


class Server(ManagedServer, ObservedServer, OpenServer):
    """A Triton-compatible server in this process.

    A new server of a name replaces the old one, which answers what it took and closes in the background; so a cell
    that makes a server may run again. Works as a context manager; without one it closes with the process.

    >>> with wb.Server("model_repository", name="example") as server:
    ...     model = server.load("identity")
    ...     reply = model.infer({"INPUT0": np.ones((1, 16), np.float32)})
    >>> reply
    <Reply OUTPUT0: float32[1, 16]>

    Args:
        repository: the model repository, a folder, or several.
        name: the server's name in this process.
        control: "explicit" loads and unloads by name; "none" loads every model at the start and then none; "poll" loads
            every model and follows changes of the files.
        backends: folders of backends, `<folder>/<name>/libtriton_<name>.so`.
        startup_models: models to load at the start; "*" means all.
        poll_s: seconds between two looks at the files with control "poll".
        exit_on_error: a model that can not be loaded at the start stops the server.
        exit_timeout_s: seconds that requests in flight get when the server closes.
        pool_byte_size: size of the pool that response buffers come from.
        pinned_memory_pool_byte_size: size of the pool of page-locked memory, which there is on machines with a GPU.
        cuda_memory_pool_byte_sizes: sizes of the pools of GPUs by device; 64 MiB where none is told.
        pool_growth_byte_size: most that a pool reserves at once.
        strict_memory: what a pool does not have is an error; else page-locked memory is given for a GPU's, and pageable
            for page-locked, which is a warning in the log and an event.
        memory_event_byte_size: smaller allocations have no event of their own.
        memory_limit_byte_size: bytes that responses, states, memory of backends and the response cache may take
            together, 0 for no limit; what would pass it fails, and no model is loaded while it is reached.
        event_byte_size: size of the event log; the oldest events are dropped, and counted, when it is full. 0
            keeps none: pictures and `explain` have nothing to show.
        metrics_config: what `metrics` tells beside counters: "summary_latencies", "summary_quantiles",
            "histogram_latencies", "counter_latencies".
        auto_complete_config: models may lack a configuration, or parts of one, that their files and backends tell.
        model_namespacing: models of one name in several repositories are served beside each other, as
            `<repository>::<model>`, and steps of ensembles mean those of their own; without it neither is served.
        model_config_name: of `configs/<name>.pbtxt`, read in place of config.pbtxt in folders of models that have it.
        model_load_thread_count: how many models are loaded at once.
        model_load_retry_count: how often a model that can not be loaded is tried again.
        host_policies: settings of instances by the name of their host policy, such as
            {"cpu": {"cpu-cores": "0-3", "numa-node": "0"}}; names are "cpu", "gpu_0", "model", or an instance group's.
        backend_config: settings that backends are told when they are opened, by backend; those of "" are for all.
        response_cache_byte_size: bytes of responses that are kept for models with `response_cache { enable: true }`; 0
            for no cache.
        response_cache_library: a cache in a shared object that keeps them instead.
        rate_limit: "execution_count" lets instances wait for the resources that their `rate_limiter` names.
        rate_limit_resources: how many there are of each, by name or by (name, device); where none is told, as many as
            the neediest instance needs.
        server_id: what the server calls itself to clients of its doors.
        strict_readiness: a model that was to be served and is not makes the server unready to them.
        engine: the core to run on; one of its own where None.

    Raises:
        NotFoundError: a folder is not there.
        InvalidArgumentError: an option is wrong.
        LoadError: a model could not be loaded at the start.

    Threads: any.
    """

    def __init__(
        self,
        repository: str | Path | Iterable[str | Path],
        *,
        name: str = "default",
        control: ControlMode = "explicit",
        backends: Iterable[str | Path] = (),
        startup_models: Iterable[str] = (),
        poll_s: float = DEFAULTS.poll_s,
        exit_on_error: bool = True,
        exit_timeout_s: float = 30.0,
        pool_byte_size: int = DEFAULTS.pool_byte_size,
        pinned_memory_pool_byte_size: int = DEFAULTS.pinned_memory_pool_byte_size,
        cuda_memory_pool_byte_sizes: Mapping[int, int] = _NO_SIZES,
        pool_growth_byte_size: int = DEFAULTS.pool_growth_byte_size,
        strict_memory: bool = DEFAULTS.strict_memory,
        memory_event_byte_size: int = DEFAULTS.memory_event_byte_size,
        memory_limit_byte_size: int = DEFAULTS.memory_limit_byte_size,
        event_byte_size: int = DEFAULTS.event_byte_size,
        metrics_config: Mapping[str, str | bool] = _NONE,
        auto_complete_config: bool = DEFAULTS.auto_complete_config,
        model_namespacing: bool = DEFAULTS.model_namespacing,
        model_config_name: str = DEFAULTS.model_config_name,
        model_load_thread_count: int = DEFAULTS.model_load_thread_count,
        model_load_retry_count: int = DEFAULTS.model_load_retry_count,
        host_policies: HostPolicies = _NONE,
        backend_config: Mapping[str, Mapping[str, str]] = _NONE,
        response_cache_byte_size: int = DEFAULTS.response_cache_byte_size,
        response_cache_library: CacheLibrary | None = None,
        rate_limit: RateLimit = DEFAULTS.rate_limit,
        rate_limit_resources: Resources = _NO_RESOURCES,
        server_id: str = DEFAULTS.server_id,
        strict_readiness: bool = DEFAULTS.strict_readiness,
        engine: Engine | None = None,
    ) -> None:
        self.options = ServerOptions(
            name=name,
            control=control,
            backends=tuple(Path(folder).expanduser().resolve() for folder in backends),
            startup_models=tuple(startup_models),
            poll_s=poll_s,
            exit_on_error=exit_on_error,
            exit_timeout_s=exit_timeout_s,
            pool_byte_size=pool_byte_size,
            pinned_memory_pool_byte_size=pinned_memory_pool_byte_size,
            cuda_memory_pool_byte_sizes=dict(cuda_memory_pool_byte_sizes),
            pool_growth_byte_size=pool_growth_byte_size,
            strict_memory=strict_memory,
            memory_event_byte_size=memory_event_byte_size,
            memory_limit_byte_size=memory_limit_byte_size,
            event_byte_size=event_byte_size,
            metrics_config=dict(metrics_config),
            auto_complete_config=auto_complete_config,
            model_namespacing=model_namespacing,
            model_config_name=model_config_name,
            model_load_thread_count=model_load_thread_count,
            model_load_retry_count=model_load_retry_count,
            host_policies={name: dict(settings) for name, settings in host_policies.items()},
            response_cache_byte_size=response_cache_byte_size,
            response_cache_library=response_cache_library,
            rate_limit=rate_limit,
            rate_limit_resources=dict(rate_limit_resources),
            server_id=server_id,
            strict_readiness=strict_readiness,
        )
        self.exit_timeout_s = exit_timeout_s
        sources = Sources.of(repository, config_name=model_config_name, has_namespaces=model_namespacing)
        finder = BackendFinder(built=built_library, folders=self.options.backends)
        core = engine or new_engine(self.options)
        loader = Loader(
            core,
            finder=finder,
            preflight=Trial(finder),
            gpu_count=gpu_count(),
            backend_config=with_model_files(with_library(backend_config), finder.folders),
            auto_complete=auto_complete_config,
            retries=model_load_retry_count,
            memory_limit_byte_size=memory_limit_byte_size,
            device_memory=device_memory,
        )
        models = ModelRepository(sources, engine=core, loader=loader, load_threads=model_load_thread_count)
        self._parts = ServerParts(core, models, Completions(core))
        self._traces = TraceBook(core)
        self._recorders = Recorders()
        self._doors = Doors(core.server_handle)
        self._closing = Lock()
        self._is_closed = False
        self._ignore_builds = on_build(models.move_users)
        self._poll = Poll(sources, load=models.load, unload=models.unload)
        self._start()
        RUNNING.add(self)

    @property
    def name(self) -> str:
        """The server's name in this process."""
        return self.options.name

    @property
    def engine(self) -> Engine:
        """The core that runs its models."""
        return self._parts.engine

    @property
    def is_closed(self) -> bool:
        """True once `close` was called."""
        return self._is_closed

    def close(self) -> bool:
        """Refuse new requests, answer those in flight, unload every model; a second call does nothing.

        Returns:
            False where requests were still in flight after `exit_timeout_s`.
        """
        with self._closing:
            if self._is_closed:
                return True
            self._is_closed = True
        self._doors.close()
        RUNNING.remove(self)
        self._ignore_builds()
        self._poll.close()
        drained = self._parts.repository.close(self.exit_timeout_s)
        self._parts.completions.close()
        self._recorders.close()
        self._traces.close()
        return drained

    shutdown = close

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<Server {self.name} closed>"
        ready = len(self._parts.repository.index(ready=True))
        models = f"{ready} model{'' if ready == 1 else 's'}"
        doors = "".join(f", {door.kind} {door.url}" for door in self.doors)
        return f"<Server {self.name} ready, {models}, {self._parts.engine.in_flight()} in flight{doors}>"

    def _repr_html_(self) -> str:
        doors = "".join(door._repr_html_() for door in self.doors)
        return f"<p><b>{self.name}</b> serves {self._parts.repository.sources}</p>{doors}{self.index()._repr_html_()}"

    def _start(self) -> None:
        if self.options.control == "poll":
            self._poll.look()
            self._poll.start(self.options.poll_s)
            return
        wanted = self.options.startup_models
        everything = self.options.control == "none" or "*" in wanted
        errors = self._parts.repository.load_all(self._parts.repository.sources.names() if everything else wanted)
        if errors and self.options.exit_on_error:
            self.close()
            told = "".join(f"\n- {name}: {error}" for name, error in errors.items())
            message = f"the server does not start, since {len(errors)} of its models can not be loaded:{told}"
            raise LoadError(message)
