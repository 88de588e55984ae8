# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What callers of the C interface set for a server, in the words of `Server`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError
from workbench.server.options import DEFAULTS, ControlMode
from workbench.server.scarce import CacheLibrary, RateLimit

_CONTROL_MODES: Final[Mapping[int, ControlMode]] = {0: "none", 1: "poll", 2: "explicit"}
_RATE_LIMITS: Final[Mapping[int, RateLimit]] = {0: "off", 1: "execution_count"}
_EVERY_DEVICE: Final = -1


def server_arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `Server`, name and repositories left out.

    Raises:
        InvalidArgumentError, NotFoundError: an option that no server can be started with.
    """
    folder = Path(options.get("backend_directory") or "")
    return {
        "control": _CONTROL_MODES[options.get("control_mode", 0)],
        # The interface's default is a folder that only the original's image has.
        "backends": [folder] if options.get("backend_directory") and folder.is_dir() else [],
        "startup_models": options.get("startup_models", ()),
        "exit_timeout_s": options.get("exit_timeout_s", 30),
        "exit_on_error": options.get("exit_on_error", True),
        "metrics_config": _metrics_config(options),
        "backend_config": _by_name(options.get("backend_settings", ())),
        "host_policies": _by_name(options.get("host_policy_settings", ())),
        "auto_complete_config": not options.get("is_strict", False),
        "model_namespacing": options.get("model_namespacing", False),
        "model_config_name": options.get("model_config_name", ""),
        "model_load_thread_count": options.get("model_load_thread_count", DEFAULTS.model_load_thread_count),
        "model_load_retry_count": options.get("model_load_retry_count", DEFAULTS.model_load_retry_count),
        # Without a GPU there is no page-locked memory: the host's pool takes its place.
        "pool_byte_size": options.get("pinned_memory_pool_byte_size", DEFAULTS.pool_byte_size),
        "pinned_memory_pool_byte_size": options.get("pinned_memory_pool_byte_size", DEFAULTS.pool_byte_size),
        "cuda_memory_pool_byte_sizes": dict(options.get("cuda_memory_pool_byte_sizes", {})),
        **_cache(options),
        "server_id": str(options.get("server_id") or DEFAULTS.server_id),
        "strict_readiness": bool(options.get("strict_readiness", True)),
        "rate_limit": _RATE_LIMITS[options.get("rate_limit_mode", 0)],
        "rate_limit_resources": {
            name if device == _EVERY_DEVICE else (name, device): count
            for name, count, device in options.get("rate_limiter_resources", ())
        },
    }


def _cache(options: Mapping[str, Any]) -> dict[str, Any]:
    """The cache that was configured last: the server's own, called "local", or one of the folder of caches."""
    if not (configs := options.get("cache_configs", ())):
        return {}
    name, text = configs[-1]
    try:
        config = json.loads(text)
        if name != "local":
            folder = Path(options.get("cache_directory") or "")
            return {"response_cache_library": CacheLibrary(folder / name / f"libtritoncache_{name}.so", config)}
        return {"response_cache_byte_size": int(config["size"])}
    except (ValueError, KeyError, TypeError) as exc:
        message = f'cache {name!r} is configured by JSON, "local" by {{"size": bytes}}; got {text}'
        raise InvalidArgumentError(message) from exc


def _by_name(settings: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, str]]:
    by_name: dict[str, dict[str, str]] = {}
    for name, setting, value in settings:
        by_name.setdefault(name, {})[setting] = value
    return by_name


def _metrics_config(options: Mapping[str, Any]) -> dict[str, str | bool]:
    flags = {name: bool(options.get(name, True)) for name in ("metrics", "cpu_metrics", "gpu_metrics")}
    return {**flags, **{setting: value for _, setting, value in options.get("metrics_settings", ())}}
