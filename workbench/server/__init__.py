# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The server in the kernel."""

from workbench.server.control_plane import CONTROL_PLANE
from workbench.server.devices import gpu_count
from workbench.server.explanation import Explanation
from workbench.server.index import ModelIndex
from workbench.server.log_settings import LogSettings, log_settings
from workbench.server.memory import MemoryBlock, MemoryStatistics, Pool
from workbench.server.model import Model
from workbench.server.options import ServerOptions
from workbench.server.reconfigure import changed
from workbench.server.reply import Reply
from workbench.server.running import RUNNING, current
from workbench.server.scarce import CacheLibrary
from workbench.server.sequence import Sequence
from workbench.server.server import Server
from workbench.server.statistics import (
    BatchStatistics,
    Duration,
    MemoryUsage,
    ModelStatistics,
    ResponseStatistics,
)
from workbench.server.trace_settings import TraceSettings

__all__ = [
    "CONTROL_PLANE",
    "RUNNING",
    "BatchStatistics",
    "CacheLibrary",
    "Duration",
    "Explanation",
    "LogSettings",
    "MemoryBlock",
    "MemoryStatistics",
    "MemoryUsage",
    "Model",
    "ModelIndex",
    "ModelStatistics",
    "Pool",
    "Reply",
    "ResponseStatistics",
    "Sequence",
    "Server",
    "ServerOptions",
    "TraceSettings",
    "changed",
    "current",
    "gpu_count",
    "log_settings",
]
