# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The real Triton server in a process of its own: from its wheel, where that is in the cache or may be fetched."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from workbench.errors import UnavailableError

WHEEL: Final = "nvidia-pytriton==0.7.0"
_WHEEL_TAGS: Final = ("--python-version", "3.11", "--platform", "manylinux_2_35_x86_64", "--only-binary=:all:")
_START_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Peer:
    """A running server: its addresses, and what it has logged so far."""

    grpc_address: str
    http_url: str
    log_path: Path

    def log(self) -> str:
        """The end of its log."""
        return self.log_path.read_text(errors="replace")[-2000:]


def unpacked_wheel(*, download: bool) -> Path:
    """The folder of the unpacked wheel.

    Raises:
        UnavailableError: it is not in the cache, and may not or can not be fetched.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "workbench"
    folder = base / WHEEL.replace("==", "-")
    if folder.is_dir():
        return folder
    if not download:
        raise UnavailableError(f"{WHEEL} is not in {base}: verify(folder, download=True) fetches it (53 MB)")
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base) as scratch:
        unpacked = _unpacked(_downloaded(Path(scratch)), Path(scratch) / "unpacked")
        # Whoever else fetches it at the same time may have been faster.
        with contextlib.suppress(OSError):
            unpacked.rename(folder)
    return folder


def _downloaded(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *_WHEEL_TAGS, "-d", str(folder), WHEEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise UnavailableError(f"pip can not fetch {WHEEL}: {said[-1] if said else done.returncode}")
    return next(folder.glob("*.whl"))


def _unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for program in (folder / "pytriton/tritonserver/bin").iterdir():
        program.chmod(0o755)
    return folder


@contextlib.contextmanager
def real_server(repository: Path, *, download: bool = False) -> Iterator[Peer]:
    """Runs the real server on `repository`, on loopback, for the length of a `with`.

    Raises:
        UnavailableError: the wheel can not be had, or the server does not start; the message ends with its log.
    """
    wheel = unpacked_wheel(download=download)
    scratch = Path(tempfile.mkdtemp(prefix="workbench-peer-"))
    http, grpc = _free_ports(2)
    process: subprocess.Popen[bytes] | None = None
    try:
        with (scratch / "log").open("wb") as log:
            process = subprocess.Popen(
                _command(wheel, repository, scratch, http, grpc),
                env=_environment(wheel),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        peer = Peer(f"127.0.0.1:{grpc}", f"http://127.0.0.1:{http}", scratch / "log")
        _await_ready(process, http, peer)
        yield peer
    finally:
        if process is not None:
            _end(process)
        shutil.rmtree(scratch, ignore_errors=True)


def _command(wheel: Path, repository: Path, scratch: Path, http: int, grpc: int) -> list[str]:
    root = wheel / "pytriton/tritonserver"
    return [
        str(root / "bin/tritonserver"),
        f"--model-repository={repository}",
        f"--backend-directory={scratch}",
        f"--cache-directory={root}/caches",
        "--http-address=127.0.0.1",
        f"--http-port={http}",
        "--grpc-address=127.0.0.1",
        f"--grpc-port={grpc}",
        "--allow-metrics=false",
        "--exit-on-error=false",
        "--strict-readiness=false",
        "--exit-timeout-secs=2",
    ]


def _environment(wheel: Path) -> dict[str, str]:
    libraries = f"{wheel}/nvidia_pytriton.libs:{wheel}/pytriton/tritonserver/external_libs"
    return {**os.environ, "LD_LIBRARY_PATH": libraries}


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def _await_ready(process: subprocess.Popen[bytes], http: int, peer: Peer) -> None:
    deadline_s = monotonic() + _START_S
    while True:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{http}/v2/health/ready", timeout=1),
        ):
            return
        if process.poll() is not None or monotonic() > deadline_s:
            raise UnavailableError(f"the real server does not start:\n{peer.log()}")
        sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
