# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The real Triton Inference Server (2.51, CPU) from its PyPI wheel, as oracle and rival.

with RealTriton(repository, backends) as peer:
    ...  # peer.http, peer.grpc, peer.metrics: ports on loopback

`backends` holds `<name>/libtriton_<name>.so`. The wheel is downloaded once into the user's cache
folder; where it can not be had, `PeerUnavailable` says why.
"""

from __future__ import annotations

import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

WHEEL = "nvidia-pytriton==0.7.0"
WHEEL_TAGS = ("--python-version", "3.11", "--platform", "manylinux_2_35_x86_64", "--only-binary=:all:")
PORT_KINDS = ("http", "grpc", "metrics")


class PeerUnavailable(RuntimeError):  # noqa: N818 (a state of this machine, not a mistake)
    """The real server can not be had on this machine; the message says why."""


class PeerFailed(RuntimeError):  # noqa: N818
    """The real server did not start; the message ends with what it logged."""


def cache_folder() -> Path:
    """The user's cache folder of this project."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "workbench"


def unpacked_wheel() -> Path:
    """Folder of the unpacked wheel; downloads it at the first call.

    Raises:
        PeerUnavailable: The machine is not what the wheel was built for, or pip can not fetch it.
    """
    folder = cache_folder() / WHEEL.replace("==", "-")
    if not folder.exists():
        _check_machine()
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            unpacked = _unpack(_download(Path(scratch)), Path(scratch) / "unpacked")
            _publish(unpacked, folder)
    return folder


def core_library() -> Path:
    """The real `libtritonserver.so`, which bears a hash in its name."""
    (library,) = (unpacked_wheel() / "nvidia_pytriton.libs").glob("libtritonserver-*.so")
    return library


def environment() -> Mapping[str, str]:
    """Environment in which programs find the libraries of the wheel."""
    wheel = unpacked_wheel()
    libraries = f"{wheel}/nvidia_pytriton.libs:{wheel}/pytriton/tritonserver/external_libs"
    return {**os.environ, "LD_LIBRARY_PATH": libraries}


def _check_machine() -> None:
    found = (platform.system(), platform.machine())
    if found != ("Linux", "x86_64"):
        raise PeerUnavailable(f"{WHEEL} exists for Linux on x86_64, this machine is {' on '.join(found)}")


def _download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *WHEEL_TAGS, "-d", str(folder), WHEEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise PeerUnavailable(f"pip can not fetch {WHEEL}: {lines[-1] if lines else done.returncode}")
    (wheel,) = folder.glob("*.whl")
    return wheel


def _unpack(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for program in (folder / "pytriton/tritonserver/bin").iterdir():
        program.chmod(0o755)
    return folder


def _publish(unpacked: Path, folder: Path) -> None:
    """Makes the folder appear whole, whoever else is downloading."""
    try:
        unpacked.rename(folder)
    except OSError:
        if not folder.exists():
            raise


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def _excerpt(log: str) -> str:
    """The beginning, where a wrong option is named, and the end, where a failure is."""
    return log if len(log) < 3000 else f"{log[:1000]}\n...\n{log[-2000:]}"


class RealTriton:
    """One process of the real server on loopback; a context manager.

    Args:
        repository: Its model repository.
        backends: Folder of backends.
        args: Further arguments, such as "--model-control-mode=explicit".
        wait_s: How long it may take to become ready.

    Raises:
        PeerUnavailable: From `unpacked_wheel`.
        PeerFailed: The process ended, or was not ready in time.
    """

    def __init__(self, repository: Path, backends: Path, *, args: Sequence[str] = (), wait_s: float = 60.0) -> None:
        self.repository = Path(repository).resolve()
        self.backends = Path(backends).resolve()
        self.args = tuple(args)
        self.wait_s = wait_s
        self.http, self.grpc, self.metrics = _free_ports(len(PORT_KINDS))
        self._folder = Path(tempfile.mkdtemp(prefix="real-triton-"))
        self._process: subprocess.Popen[bytes] | None = None

    def __repr__(self) -> str:
        state = "running" if self.is_alive() else "stopped"
        return f"<RealTriton {state}, http {self.http}, {self.repository}>"

    def __enter__(self) -> Self:
        environment_ = environment()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(), env=environment_, stdout=log, stderr=log, start_new_session=True
            )
        try:
            self._wait_until_ready(self._process)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def url(self) -> str:
        """Base of its HTTP addresses."""
        return f"http://127.0.0.1:{self.http}"

    @property
    def pid(self) -> int:
        """Process id; REQUIRES: started."""
        assert self._process
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether the process runs. A dead peer's silence proves nothing: ask before believing it."""
        return self._process is not None and self._process.poll() is None

    def log(self) -> str:
        """What it has written so far."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def close(self) -> None:
        """Ends the process and forgets its log."""
        if self._process is not None and self.is_alive():
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def _command(self) -> list[str]:
        root = unpacked_wheel() / "pytriton/tritonserver"
        command = [f"{root}/bin/tritonserver", f"--model-repository={self.repository}"]
        command += [f"--backend-directory={self.backends}", f"--cache-directory={root}/caches"]
        command += ["--exit-on-error=false", "--strict-readiness=false", "--exit-timeout-secs=2"]
        for kind in PORT_KINDS:
            command += [f"--{kind}-address=127.0.0.1", f"--{kind}-port={getattr(self, kind)}"]
        return [*command, *self.args]

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        """Asks every 50 ms, which is also how soon the end of the process is seen."""
        for _ in range(int(self.wait_s / 0.05)):
            if self._answers():
                return
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            raise PeerFailed(f"the real server ended with {process.returncode}:\n{_excerpt(self.log())}")
        raise PeerFailed(f"the real server was not ready after {self.wait_s} s:\n{_excerpt(self.log())}")

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/v2/health/ready", timeout=1):
                return True
        except OSError:
            return False
