# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The front doors of a server: what other programs reach it by."""

from workbench.endpoints.door import Door, Reach, SharedMemory
from workbench.endpoints.http import DEFAULTS, HttpOptions, open_http, open_metrics

__all__ = ["DEFAULTS", "Door", "HttpOptions", "Reach", "SharedMemory", "open_http", "open_metrics"]
