# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The core takes little of what a process shares: thread-local space is scarce for libraries opened late."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

LIMIT_BYTES = 256


def thread_local_bytes(program_headers: str) -> int:
    """Size of the TLS segment in `readelf -lW` output; 0 without one."""
    segment = re.search(r"^\s*TLS\s+(?:0x\w+\s+){4}(0x\w+)", program_headers, re.MULTILINE)
    return int(segment[1], 16) if segment else 0


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_thread_local_data_is_small(native_path: Path) -> None:
    listing = subprocess.run(
        ["readelf", "-lW", native_path.parent / "libtritonserver.so"], check=True, capture_output=True, text=True
    ).stdout
    assert thread_local_bytes(listing) <= LIMIT_BYTES


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
def test_no_static_place_is_wanted_for_thread_local_data_of_others(native_path: Path) -> None:
    # Whoever used the data first, as `import onnx` does that of libstdc++, has given it a place of another kind, and
    # the loader then refuses the object.
    for library in (native_path, native_path.parent / "libtritonserver.so"):
        relocations = subprocess.run(["readelf", "-rW", library], check=True, capture_output=True, text=True).stdout
        wanted = [line.split()[4] for line in relocations.splitlines() if " R_X86_64_TPOFF64 " in line and "@" in line]
        assert not wanted, library.name


def test_the_segment_is_read_right() -> None:
    line = "  TLS            0x011d70 0x0000000000012d70 0x0000000000012d70 0x000010 0x000098 R   0x8\n"
    assert thread_local_bytes(line) == 0x98
    assert thread_local_bytes("  LOAD           0x000000 0x0 0x0 0x1 0x1 R 0x1\n") == 0
