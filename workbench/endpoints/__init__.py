# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The front doors of a server: what other programs reach it by."""

from workbench.endpoints.door import Door, Reach, SharedMemory
from workbench.endpoints.grpc_options import GrpcOptions, native_grpc, open_grpc
from workbench.endpoints.grpc_values import set_value
from workbench.endpoints.http import DEFAULTS, HttpOptions, open_http, open_metrics
from workbench.endpoints.native import native_endpoints
from workbench.endpoints.report import doors_report

__all__ = [
    "DEFAULTS",
    "Door",
    "GrpcOptions",
    "HttpOptions",
    "Reach",
    "SharedMemory",
    "doors_report",
    "native_endpoints",
    "native_grpc",
    "open_grpc",
    "open_http",
    "open_metrics",
    "set_value",
]
