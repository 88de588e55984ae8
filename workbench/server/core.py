# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The core's engine as a server's options want it."""

from __future__ import annotations

import json

from workbench.build import watch_for_crashes
from workbench.repository import Engine
from workbench.server.devices import cuda_driver
from workbench.server.log_pump import PUMP
from workbench.server.metrics_config import metrics_options
from workbench.server.options import ServerOptions
from workbench.server.scarce import rate_limits_of


def new_engine(options: ServerOptions) -> Engine:
    """An engine of its own. The core comes with the first of them, so that importing workbench stays light."""
    from workbench import _native

    watch_for_crashes()
    PUMP.start()
    library = options.response_cache_library
    return _native.Engine(
        name=options.name,
        pool_byte_size=options.pool_byte_size,
        event_byte_size=options.event_byte_size,
        metrics=metrics_options(options.metrics_config),
        host_policies=options.host_policies,
        memory_limit_byte_size=options.memory_limit_byte_size,
        memory={
            "pinned_memory_pool_byte_size": options.pinned_memory_pool_byte_size,
            "cuda_memory_pool_byte_sizes": dict(options.cuda_memory_pool_byte_sizes),
            "pool_growth_byte_size": options.pool_growth_byte_size,
            "memory_event_byte_size": options.memory_event_byte_size,
            "strict_memory": options.strict_memory,
            "cuda_driver": cuda_driver(),
        },
        cache_byte_size=options.response_cache_byte_size,
        rate_limits=rate_limits_of(options.rate_limit, options.rate_limit_resources),
        cache_library=(str(library.path), json.dumps(dict(library.config))) if library else None,
    )
