# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Values as JSON can keep them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def plain_json(value: Any) -> Any:
    """The value with null for what is not finite, and lists for tuples."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain_json(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(entry) for entry in value]
    return value
