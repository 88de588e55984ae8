# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which doors this build has, and what brings those that it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from workbench.build import Finding
from workbench.endpoints.native import native_endpoints
from workbench.errors import UnsupportedError

NGHTTP2: Final = "install libnghttp2-dev and build again"
_GRPCIO: Final = "pip install 'tritonclient[grpc]'"


def doors_report() -> Iterator[Finding]:
    """One finding for HTTP and metrics, one for gRPC."""
    try:
        native = native_endpoints()
    except UnsupportedError as exc:
        yield Finding("HTTP and metrics doors", "missing", str(exc))
        yield _grpcio("these front doors are not built")
        return
    yield Finding("HTTP and metrics doors", "ok", f"native loops, {native.__file__}")
    if hasattr(native, "GrpcServer"):
        yield Finding("gRPC door", "ok", "native loops, on nghttp2")
    else:
        yield _grpcio(f"built without nghttp2; for native loops {NGHTTP2}")


def _grpcio(why: str) -> Finding:
    if find_spec("grpc") is None:
        return Finding("gRPC door", "missing", f"{why}; {_GRPCIO} brings grpcio, on which it runs, too")
    return Finding("gRPC door", "ok", f"on grpcio, in Python, slower while a cell computes: {why}")
