# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's load tool, out of the last wheel whose binary runs on glibc 2.36, kept in the user's cache folder."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.conformance.peer import PeerUnavailable, cache_folder, unpacked_wheel

WHEEL: Final = "tritonclient==2.45.0"
LIBRARIES: Final = {"libb64.so.0d": "libb64-*", "libcudart.so.12": "libcudart-*"}
"""What the binary needs and a machine may lack; the real server's wheel brings it."""


ATTEMPTS: Final = 3


class ClientCrashedError(RuntimeError):
    """A signal ended perf_analyzer itself."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the tool says of one run; times in microseconds."""

    requests_per_s: float
    p50_us: float
    p99_us: float


def perf_analyzer() -> tuple[Path, Mapping[str, str]]:
    """The binary, and the environment that it needs.

    Raises:
        PeerUnavailable: it can not be had here.
    """
    folder = cache_folder() / "perf-analyzer-2.45.0"
    binary = folder / "perf_analyzer"
    if not binary.exists():
        _unpack(folder)
    return binary, dict(os.environ, LD_LIBRARY_PATH=str(folder))


def _unpack(folder: Path) -> None:
    borrowed = unpacked_wheel() / "nvidia_pytriton.libs"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as download:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
        command += ["--platform", "manylinux1_x86_64", "-d", download, WHEEL]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(download).glob("*.whl"))
        if done.returncode != 0 or not wheels:
            message = f"perf_analyzer can not be downloaded: {done.stderr[-300:]}"
            raise PeerUnavailable(message)
        with zipfile.ZipFile(wheels[0]) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith("/perf_analyzer"))
            content = archive.read(name)
    for wanted, pattern in LIBRARIES.items():
        (found,) = borrowed.glob(pattern)
        (folder / wanted).unlink(missing_ok=True)
        (folder / wanted).symlink_to(found)
    fresh = folder / f"perf_analyzer.{os.getpid()}"
    fresh.write_bytes(content)
    fresh.chmod(0o755)
    fresh.rename(folder / "perf_analyzer")


def measure(
    url: str, *, model: str, protocol: str, concurrency: int = 1, window_ms: int = 500, flags: Sequence[str] = ()
) -> Measured:
    """A closed loop of so many requests in flight, or what the flags say; the median window of three counts.

    The tool's asynchronous HTTP client now and then crashes or stands still, whichever server it drives: then it is
    started again, with a word.
    """
    command = ["-m", model, "-u", url, "-i", protocol]
    command += flags or ["--concurrency-range", str(concurrency)]
    command += ["-p", str(window_ms), "--max-trials", "3", "-s", "999"]
    is_async = (protocol == "grpc" or concurrency > 1) and "--sync" not in flags
    attempts = ATTEMPTS if is_async and protocol == "http" else 1
    while True:
        try:
            return _run([*command, *["-a"] * is_async])
        except (ClientCrashedError, subprocess.TimeoutExpired) as error:
            attempts -= 1
            if not attempts:
                raise
            print(f"perf_analyzer is started again: {error}", file=sys.stderr)


def _run(command: Sequence[str]) -> Measured:
    binary, environment = perf_analyzer()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.csv"
        whole = [str(binary), *command, "-f", str(report)]
        done = subprocess.run(whole, env=environment, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode < 0:
            raise ClientCrashedError(f"signal {-done.returncode}")
        if done.returncode != 0 or not report.exists():
            message = f"perf_analyzer ended with {done.returncode}: {done.stdout[-600:]}{done.stderr[-600:]}"
            raise RuntimeError(message)
        row = next(csv.DictReader(report.read_text().splitlines()))
    return Measured(float(row["Inferences/Second"]), float(row["p50 latency"]), float(row["p99 latency"]))
