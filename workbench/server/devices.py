# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The GPUs of this machine, counted without opening one."""

from __future__ import annotations

import ctypes
from functools import cache


@cache
def gpu_count() -> int:
    """Number of GPUs that the CUDA driver offers; 0 without driver or GPU."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value
