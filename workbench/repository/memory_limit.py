# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""No model is loaded while a server's memory is used up."""

from __future__ import annotations

from workbench.errors import UnavailableError
from workbench.repository.engine import Engine


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
