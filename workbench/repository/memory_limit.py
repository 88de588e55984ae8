# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""No model is loaded while a server's memory, or a GPU's, is used up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from workbench.config import ModelConfig
from workbench.errors import InvalidArgumentError, UnavailableError
from workbench.repository.engine import Engine

DeviceMemory: TypeAlias = Callable[[int], tuple[int, int]]
"""Tells of a GPU, by number, how many bytes are free, and how many it has."""
_GPU_LIMIT: Final = "model-load-gpu-limit-device-"


def require_memory(engine: Engine, name: str, limit_byte_size: int) -> None:
    """Raise UnavailableError for a model that is to be loaded while `limit_byte_size` is reached; 0 is no limit."""
    if not limit_byte_size:
        return
    # What the cache may take is set aside for it.
    cache = engine.cache_statistics() or {}
    of_host = (pool for pool in engine.pools() if pool.get("memory_type", "CPU") == "CPU")
    used = sum(pool["live_byte_size"] for pool in of_host) + cache.get("limit_byte_size", 0)
    if used >= limit_byte_size:
        in_use = f"{used} bytes of memory_limit_byte_size {limit_byte_size} are in use"
        message = f"model {name!r} is not loaded while {in_use}"
        raise UnavailableError(message)


def gpu_load_limits(settings: Mapping[str, str]) -> dict[int, float]:
    """Shares of GPUs' memory beyond which no model is loaded there, out of the settings of all backends.

    Raises:
        InvalidArgumentError: a share is no number from 0 to 1.
    """
    limits: dict[int, float] = {}
    for name, value in settings.items():
        if name.startswith(_GPU_LIMIT):
            try:
                limits[int(name.removeprefix(_GPU_LIMIT))] = share = float(value)
            except ValueError:
                share = -1.0
            if not 0 <= share <= 1:
                message = f"{name} is a share of that GPU's memory, 0 to 1; got {value!r}"
                raise InvalidArgumentError(message)
    return limits


def require_gpu_memory(
    name: str, config: ModelConfig, limits: Mapping[int, float], device_memory: DeviceMemory
) -> None:
    """Raise UnavailableError for a model with instances on a GPU of which more than the limit is in use."""
    devices = {device for group in config.instance_group for device in group.gpus}
    for device in sorted(devices & set(limits)):
        free, total = device_memory(device)
        if total - free > limits[device] * total:
            used = f"{total - free} of {total} bytes of GPU {device} are in use ({free} free)"
            limit = f"the limit for loads is {limits[device]:g} of it, {int(limits[device] * total)} bytes"
            message = f"model {name!r} is not loaded while {used}; {limit}"
            raise UnavailableError(message)
