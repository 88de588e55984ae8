# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The GPUs of this machine, counted without opening one."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Final

from workbench.errors import InternalError

DRIVER_VARIABLE: Final = "WORKBENCH_CUDA_DRIVER"
"""Environment variable with the path of the CUDA driver library, where it is not the machine's own."""
_LIBRARY: Final = "libcuda.so.1"


def cuda_driver() -> str:
    """The driver library that servers are to open; "" for the machine's own."""
    return os.environ.get(DRIVER_VARIABLE, "")


def gpu_count() -> int:
    """Number of GPUs that the CUDA driver offers; 0 without driver or GPU."""
    return _count(cuda_driver() or _LIBRARY)


def device_memory(device: int) -> tuple[int, int]:
    """Bytes of a GPU that are free, and all that it has.

    Raises:
        InternalError: the driver does not tell.
    """
    driver = ctypes.CDLL(cuda_driver() or _LIBRARY)
    handle, context = ctypes.c_int(), ctypes.c_void_p()
    _require(driver.cuInit(0), "cuInit")
    _require(driver.cuDeviceGet(ctypes.byref(handle), device), "cuDeviceGet")
    _require(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), handle), "cuDevicePrimaryCtxRetain")
    try:
        return _memory_of(driver, context)
    finally:
        driver.cuDevicePrimaryCtxRelease_v2(handle)


def _memory_of(driver: ctypes.CDLL, context: ctypes.c_void_p) -> tuple[int, int]:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    _require(driver.cuCtxPushCurrent_v2(context), "cuCtxPushCurrent")
    try:
        _require(driver.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)), "cuMemGetInfo")
    finally:
        driver.cuCtxPopCurrent_v2(ctypes.byref(context))
    return free.value, total.value


def _require(code: int, function: str) -> None:
    if code != 0:
        message = f"{function} failed with CUDA error {code}"
        raise InternalError(message)


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
