# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What happened in the core, and why: fixed-size records, read as numpy columns."""

from workbench.events.event import EVENT_DTYPE, BatchReason, EventKind, ModelState
from workbench.events.stream import EventColumns, EventNames, columns

__all__ = ["EVENT_DTYPE", "BatchReason", "EventColumns", "EventKind", "EventNames", "ModelState", "columns"]
