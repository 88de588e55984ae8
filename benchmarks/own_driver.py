# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the in-process driver on our core, whose control plane is this Python process.

python benchmarks/own_driver.py [--no-events] DRIVER.so ARGUMENTS...

With --no-events the core keeps no event log.
"""

from __future__ import annotations

import ctypes
import sys
from importlib.util import find_spec
from pathlib import Path

from workbench.server import control_plane


def core_library() -> Path:
    """Our `libtritonserver.so`, which lies beside the extension module."""
    spec = find_spec("workbench._native")
    if spec is None or spec.origin is None:
        raise SystemExit("workbench is not built: make build")
    return Path(spec.origin).parent / "libtritonserver.so"


def keep_no_events() -> None:
    """Servers made through the C interface, which has no option for it, keep no event log."""
    arguments = control_plane.server_arguments
    control_plane.server_arguments = lambda options: {**arguments(options), "event_byte_size": 0}


def main() -> int:
    """Calls the driver with the GIL released; returns its exit status."""
    if "--no-events" in sys.argv:
        sys.argv.remove("--no-events")
        keep_no_events()
    driver, *arguments = sys.argv[1:]
    words = ["driver", "--library", str(core_library()), *arguments]
    argv = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
    status: int = ctypes.CDLL(driver).DriverMain(len(words), argv)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
