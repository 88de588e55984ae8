# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The shared object of the front doors, opened when the first is."""

from __future__ import annotations

from types import ModuleType

from workbench.errors import UnsupportedError


def native_endpoints() -> ModuleType:
    """The module `workbench._endpoints`.

    Raises:
        UnsupportedError: this build has none.
    """
    try:
        from workbench import _endpoints
    except ImportError as exc:
        message = (
            f"this build of workbench has no front doors ({exc}); it was made without the headers of Boost, zlib or "
            "RapidJSON: install libboost-dev, zlib1g-dev and rapidjson-dev, and build again"
        )
        raise UnsupportedError(message) from exc
    return _endpoints
