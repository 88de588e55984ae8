# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The GPUs of this machine, counted without opening one."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Final

DRIVER_VARIABLE: Final = "WORKBENCH_CUDA_DRIVER"
"""Environment variable with the path of the CUDA driver library, where it is not the machine's own."""
_LIBRARY: Final = "libcuda.so.1"


def cuda_driver() -> str:
    """The driver library that servers are to open; "" for the machine's own."""
    return os.environ.get(DRIVER_VARIABLE, "")


def gpu_count() -> int:
    """Number of GPUs that the CUDA driver offers; 0 without driver or GPU."""
    return _count(cuda_driver() or _LIBRARY)


@cache
def _count(library: str) -> int:
    try:
        driver = ctypes.CDLL(library)
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value
