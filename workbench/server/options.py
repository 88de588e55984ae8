# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server is started with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.server.metrics_config import metrics_options
from workbench.server.scarce import CacheLibrary, RateLimit, Resources, rate_limits_of

ControlMode = Literal["none", "poll", "explicit"]
HostPolicies: TypeAlias = Mapping[str, Mapping[str, str]]
_MIB: Final = 2**20
_LEAST_GROWTH: Final = 4096


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server.

    Attributes:
        name: the server's name in this process; a new server of a name replaces the old one.
        control: "explicit" loads and unloads by name; "none" loads every model at the start and then none; "poll" loads
            every model and follows changes of the files.
        backends: folders of backends, `<folder>/<name>/libtriton_<name>.so`.
        startup_models: models to load at the start with control "explicit"; "*" means all.
        poll_s: seconds between two looks at the files with control "poll".
        exit_on_error: a model that can not be loaded at the start stops the server.
        exit_timeout_s: seconds that requests in flight get when the server closes.
        pool_byte_size: size of the pool that response buffers come from.
        pinned_memory_pool_byte_size: size of the pool of page-locked memory; on machines with a GPU.
        cuda_memory_pool_byte_sizes: sizes of the pools of GPUs by device, 64 MiB where none is told.
        pool_growth_byte_size: most that a pool reserves at once.
        strict_memory: what a pool does not have is an error; else other memory is given: a warning and an event.
        memory_event_byte_size: smaller allocations have no event of their own.
        memory_limit_byte_size: bytes that responses, states, memory of backends and the response cache may take
            together; 0 for no limit.
        event_byte_size: size of the event log; the oldest events are dropped, and counted, when it is full. 0
            keeps none: pictures and `explain` have nothing to show.
        metrics_config: what the metrics page tells beside counters.
        auto_complete_config: models may lack a configuration, or parts of one, that their files and backends tell.
        model_namespacing: models of one name in several repositories are served beside each other, as
            `<repository>::<model>`; without it neither is served.
        model_config_name: of `configs/<name>.pbtxt`, read in place of config.pbtxt where it is there.
        model_load_thread_count: how many models are loaded at once.
        model_load_retry_count: how often a model that can not be loaded is tried again.
        host_policies: settings of instances by the name of their host policy (`cpu`, `gpu_0`, `model`, or what an
            instance group says): "cpu-cores" such as "0-3,8", "numa-node" such as "0"; backends are told them all.
        response_cache_byte_size: bytes of responses that are kept for models with response_cache { enable: true }.
        response_cache_library: keeps them instead of the server's own memory.
        rate_limit: "execution_count" lets instances wait for the resources that their rate_limiter names.
        rate_limit_resources: how many there are of each; where none is told, as many as the neediest instance needs.
        server_id: what the server calls itself to clients.
        strict_readiness: a model that was to be served and is not makes the server unready.

    Raises:
        InvalidArgumentError, NotFoundError: an option is wrong.
    """

    name: str = "default"
    control: ControlMode = "explicit"
    backends: tuple[Path, ...] = ()
    startup_models: tuple[str, ...] = ()
    poll_s: float = 15.0
    exit_on_error: bool = True
    exit_timeout_s: float = 30.0
    pool_byte_size: int = 256 * _MIB
    pinned_memory_pool_byte_size: int = 256 * _MIB
    cuda_memory_pool_byte_sizes: Mapping[int, int] = field(default_factory=dict)
    pool_growth_byte_size: int = 64 * _MIB
    strict_memory: bool = False
    memory_event_byte_size: int = 0
    memory_limit_byte_size: int = 0
    event_byte_size: int = 64 * _MIB
    metrics_config: Mapping[str, str | bool] = field(default_factory=dict)
    auto_complete_config: bool = True
    model_namespacing: bool = False
    model_config_name: str = ""
    model_load_thread_count: int = 4
    model_load_retry_count: int = 0
    host_policies: HostPolicies = field(default_factory=dict)
    response_cache_byte_size: int = 0
    response_cache_library: CacheLibrary | None = None
    rate_limit: RateLimit = "off"
    rate_limit_resources: Resources = field(default_factory=dict)
    server_id: str = "triton"
    strict_readiness: bool = False

    def __post_init__(self) -> None:
        metrics_options(self.metrics_config)
        rate_limits_of(self.rate_limit, self.rate_limit_resources)
        self._check_memory()
        if 0 < self.memory_limit_byte_size <= self.response_cache_byte_size:
            message = f"a response cache of {self.response_cache_byte_size} bytes leaves nothing of the "
            message += f"memory_limit_byte_size {self.memory_limit_byte_size}"
            raise InvalidArgumentError(message)
        if self.control not in get_args(ControlMode):
            message = f"control is one of {', '.join(get_args(ControlMode))}; got {self.control!r}"
            raise InvalidArgumentError(message)
        for folder in self.backends:
            if not folder.is_dir():
                message = f"no folder of backends at {folder}"
                raise NotFoundError(message)

    def _check_memory(self) -> None:
        sizes = {
            "pool_byte_size": self.pool_byte_size,
            "pinned_memory_pool_byte_size": self.pinned_memory_pool_byte_size,
            "memory_event_byte_size": self.memory_event_byte_size,
            **{f"cuda_memory_pool_byte_sizes[{device}]": size for device, size in self._cuda_sizes()},
        }
        for name, size in sizes.items():
            if size < 0:
                message = f"{name} is a number of bytes; got {size}"
                raise InvalidArgumentError(message)
        if self.pool_growth_byte_size < _LEAST_GROWTH:
            message = f"pool_growth_byte_size is {_LEAST_GROWTH} bytes at least; got {self.pool_growth_byte_size}"
            raise InvalidArgumentError(message)

    def _cuda_sizes(self) -> Iterable[tuple[int, int]]:
        return self.cuda_memory_pool_byte_sizes.items()


DEFAULTS: Final = ServerOptions()
