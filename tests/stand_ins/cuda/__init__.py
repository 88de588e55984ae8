# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The stand-in for the CUDA driver, as tests use it: compiled once a session, and set by the environment."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
_VARIABLES: Final = {
    "devices": "WB_STAND_IN_CUDA_DEVICES",
    "memory": "WB_STAND_IN_CUDA_MEMORY",
    "pinned": "WB_STAND_IN_CUDA_PINNED",
    "delay_us": "WB_STAND_IN_CUDA_DELAY_US",
    "fail": "WB_STAND_IN_CUDA_FAIL",
}


def compiled(folder: Path) -> Path:
    """The shared object, made in `folder`."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    assert compiler is not None, "the stand-in is compiled by g++ or clang++"
    path = folder / "libwb_cuda_stand_in.so"
    flags = ["-std=c++17", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread", f"-I{ROOT / 'native/include'}"]
    subprocess.run([compiler, *flags, "-o", str(path), str(HERE / "driver.cc")], check=True)
    return path


@dataclass(frozen=True, slots=True)
class CudaStandIn:
    """The driver that servers open while a test has it."""

    path: Path

    def set(self, **options: object) -> None:
        """devices, memory, pinned, delay_us, fail; from now on. Calls are counted anew."""
        for name, value in options.items():
            os.environ[_VARIABLES[name]] = str(value)
        self._library.wbStandInReset()

    def clear(self) -> None:
        """As it is without a word."""
        for variable in _VARIABLES.values():
            os.environ.pop(variable, None)
        self._library.wbStandInReset()

    def violations(self) -> int:
        """What was done wrong: uses of freed memory, calls out of a host function, ..."""
        return int(self._long("wbStandInViolations")())

    def calls(self, symbol: str) -> int:
        """How often a function was called."""
        return int(self._long("wbStandInCalls")(symbol.encode()))

    def live(self, device: int = 0) -> int:
        """Bytes allocated on a device; -1: page-locked."""
        function = self._library.wbStandInLive
        function.restype = ctypes.c_size_t
        return int(function(device))

    def _long(self, name: str) -> ctypes._NamedFuncPointer:
        function: ctypes._NamedFuncPointer = getattr(self._library, name)
        function.restype = ctypes.c_long
        return function

    @property
    def _library(self) -> ctypes.CDLL:
        return ctypes.CDLL(str(self.path))
