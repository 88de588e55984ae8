# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the flags of `serve` say of memory, caches, rates and traces, in the words of `Server`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError, UnsupportedError
from workbench.server import CacheLibrary
from workbench.terminal.flag_values import by_name

_TRACED: Final[Mapping[str, str]] = {
    "rate": "trace_rate", "count": "trace_count", "file": "trace_file", "log-frequency": "log_frequency",
}  # fmt: skip
"""Settings that have one value, as `Server.trace` calls them."""


def resources(told: argparse.Namespace) -> dict[str, Any]:
    """Arguments of `Server`. Raises InvalidArgumentError, NotFoundError."""
    return {
        # Without a GPU there is no page-locked memory: the host's pool takes its place.
        "pool_byte_size": told.pinned_memory_pool_byte_size,
        "pinned_memory_pool_byte_size": told.pinned_memory_pool_byte_size,
        "cuda_memory_pool_byte_sizes": dict(
            _integers("--cuda-memory-pool-byte-size", pair) for pair in told.cuda_memory_pool_byte_size
        ),
        "memory_limit_byte_size": told.memory_limit_byte_size,
        "host_policies": by_name(told.host_policy),
        "rate_limit": told.rate_limit,
        "rate_limit_resources": dict(_resource(*parts) for parts in told.rate_limit_resource),
        "metrics_config": {
            "metrics": told.allow_metrics,
            "cpu_metrics": told.allow_cpu_metrics,
            "gpu_metrics": told.allow_gpu_metrics,
            **by_name(told.metrics_config).get("", {}),
        },
        **_cache(told),
    }


def _resource(name: str, number: str, device: str = "") -> tuple[str | tuple[str, int], int]:
    _, many = _integers("--rate-limit-resource", ("0", number))
    return ((name, _integers("--rate-limit-resource", (device, "0"))[0]) if device else name), many


def _integers(flag: str, texts: tuple[str, ...]) -> tuple[int, int]:
    try:
        first, second = (int(text) for text in texts)
    except ValueError as exc:
        message = f"{flag} wants whole numbers; got {':'.join(texts)}"
        raise InvalidArgumentError(message) from exc
    return first, second


def _cache(told: argparse.Namespace) -> dict[str, Any]:
    """The server's own cache is called local; others are shared objects of the folder of caches."""
    caches = by_name(told.cache_config)
    others = [name for name in caches if name != "local"]
    if len(caches) > 1:
        message = f"--cache-config: a server has one response cache; these are {', '.join(caches)}"
        raise InvalidArgumentError(message)
    for name in others:
        path = Path(told.cache_directory) / name / f"libtritoncache_{name}.so"
        return {"response_cache_library": CacheLibrary(path, caches[name])}
    size = caches.get("local", {}).get("size", str(told.response_cache_byte_size))
    if "local" in caches and "size" not in caches["local"]:
        message = "--cache-config local,size=BYTES tells how much the cache keeps"
        raise InvalidArgumentError(message)
    return {"response_cache_byte_size": _integers("--cache-config local,size", (size, "0"))[0]}


def trace_settings(told: argparse.Namespace) -> dict[str, Any]:
    """Settings of all models' traces. Raises InvalidArgumentError, UnsupportedError."""
    older = {name: getattr(told, f"trace_{name.replace('-', '_')}") for name in _TRACED}
    settings: list[tuple[str, str, str]] = [("", "level", level) for level in told.trace_level]
    settings += [("", name, str(value)) for name, value in older.items() if value is not None]
    settings += told.trace_config
    for mode, name, value in settings:
        if mode not in {"", "triton"} or (name == "mode" and value != "triton"):
            message = f"--trace-config: traces are the server's own, mode triton; {mode or value!r} is not there"
            raise UnsupportedError(message)
        if name not in {"level", *_TRACED, "mode"}:
            message = f"--trace-config has no setting {name!r}; there are level, {', '.join(_TRACED)}"
            raise InvalidArgumentError(message)
    found: dict[str, Any] = {_TRACED[name]: value for _, name, value in settings if name in _TRACED}
    for flag, name in _TRACED.items():
        if name in found and flag != "file":
            found[name] = _integers(f"--trace-config {flag}", (found[name], "0"))[0]
    levels = tuple(value for _, name, value in settings if name == "level")
    return {**found, "trace_level": levels} if levels else found
