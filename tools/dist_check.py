# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Looks into each wheel and sdist of a folder, and serves with it from a clean environment, outside the repository.

    python tools/dist_check.py dist [python3.12 ...] [--quickstart]

A wheel is tried with the interpreter of its tag; an sdist is built with the network switched off.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from wheels import ROOT, project, version_of

SMOKE = ROOT / "tools/dist_smoke.py"
NOTICES = "THIRD-PARTY-NOTICES.txt"
LIMIT_BYTES = 20_000_000
WANTED = ("workbench/py.typed", "workbench/libtritonserver.so", "workbench/include/triton/core/tritonserver.h")
UNWANTED = re.compile(r"^(tests|docs|notebooks|native|benchmarks)/|__pycache__|\.cc$")
_QUIET = ("--quiet", "--disable-pip-version-check")


def clean_environment() -> dict[str, str]:
    """The caller's variables without those that would show Python this checkout or another environment."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in hidden}


class Environment:
    """A fresh environment in a folder outside the repository."""

    def __init__(self, python: str, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "environment/bin/python"
        self._run(python, "-m", "venv", folder / "environment")

    def install(self, *what: str | Path) -> None:
        """By pip, from the registry."""
        self._run(self.python, "-m", "pip", "install", *_QUIET, *what)

    def run(self, *arguments: str | Path) -> None:
        """Python, isolated from the folder it runs in."""
        self._run(self.python, "-I", *arguments)

    def wheel_offline(self, sdist: Path) -> Path:
        """Builds the sdist without the network; what the build needs is there."""
        made = self.folder / "built"
        self.install(*project()["build-system"]["requires"])
        command = [self.python, "-m", "pip", "wheel", *_QUIET, "--no-index", "--no-build-isolation", "--no-deps"]
        self._run(*_without_network(), *command, "--wheel-dir", made, sdist)
        (wheel,) = made.glob("*.whl")
        return wheel

    def _run(self, *command: str | Path) -> None:
        subprocess.run(command, check=True, cwd=self.folder, env=clean_environment())


def _without_network() -> tuple[str, ...]:
    """What a command is put behind; nothing, and a word about it, where that is not allowed."""
    for command in (("unshare", "-n"), ("unshare", "-rn")):
        if (
            shutil.which("unshare")
            and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
        ):
            return command
    print("the network stays on: unshare is not allowed here", flush=True)
    return ()


def faults_of_wheel(wheel: Path) -> Iterator[str]:
    """What is wrong with the wheel's contents."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        licences = {Path(name).name: archive.read(name).decode() for name in names if ".dist-info/licenses/" in name}
    yield from (f"{name} is missing" for name in WANTED if name not in names)
    yield from (f"{name} does not belong there" for name in names if UNWANTED.search(name))
    yield from (f"{name} is missing among the licences" for name in ("LICENSE", NOTICES) if name not in licences)
    bundled = [Path(name).name for name in names if re.match(r"\w+\.libs/", name)]
    silent = (name for name in bundled if re.split(r"[-.]", name)[0] not in licences.get(NOTICES, ""))
    yield from (f"{NOTICES} says nothing of {name}" for name in silent)
    if not any(name.startswith("libnghttp2") for name in bundled):
        yield "libnghttp2 is not bundled: the gRPC door would need it of the system"
    if "manylinux" not in wheel.name:
        yield "it is not for manylinux: auditwheel has not repaired it"
    if wheel.stat().st_size > LIMIT_BYTES:
        yield f"{wheel.stat().st_size / 1e6:.0f} MB is more than {LIMIT_BYTES / 1e6:.0f} MB"


def faults_of_sdist(sdist: Path) -> Iterator[str]:
    """What is wrong with the sdist's contents."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ("pyproject.toml", "LICENSE", NOTICES, "native/CMakeLists.txt", "workbench/py.typed", "CHANGELOG.md")
    yield from (f"{name} is missing" for name in wanted if name not in names)


def try_wheel(wheel: Path, python: str, folder: Path) -> Environment:
    """Installs it and serves with it."""
    environment = Environment(python, folder)
    environment.install(wheel)
    environment.run(SMOKE, "--bundled")
    return environment


def try_sdist(sdist: Path, python: str, folder: Path) -> Environment:
    """Builds it offline, installs what came of it and serves with it."""
    environment = Environment(python, folder)
    environment.install(environment.wheel_offline(sdist))
    environment.run(SMOKE)
    return environment


def quick_start(environment: Environment, artifact: Path) -> None:
    """The first notebook, as a reader would open it."""
    for name in ("notebooks", "model_repository"):
        shutil.copytree(ROOT / name, environment.folder / name, ignore=shutil.ignore_patterns("*.so", "*.onnx"))
    environment.install(f"workbench-serving[lab] @ {artifact.as_uri()}", "nbclient", "nbconvert", "nbformat")
    notebook = environment.folder / "notebooks/01_quickstart.ipynb"
    environment.run(ROOT / "tools/demo.py", notebook, "--output", environment.folder / "demo")


def interpreter_for(artifact: Path, pythons: list[str]) -> str:
    """That of a wheel's tag: one that was named, or one of the path; for an sdist the one that runs this."""
    found = re.search(r"-cp(\d)(\d+)-", artifact.name)
    if found is None or sys.version_info[:2] == (int(found[1]), int(found[2])):
        return sys.executable
    version = f"{found[1]}.{found[2]}"
    return next((python for python in pythons if version_of(python) == version), f"python{version}")


def check(artifact: Path, pythons: list[str], *, with_quick_start: bool) -> None:
    """Ends with a message where something is wrong."""
    begin, is_wheel = time.monotonic(), artifact.suffix == ".whl"
    faults: Callable[[Path], Iterator[str]] = faults_of_wheel if is_wheel else faults_of_sdist
    if found := list(faults(artifact)):
        sys.exit(f"{artifact.name}: {'; '.join(found)}")
    with tempfile.TemporaryDirectory(prefix="workbench-dist-") as folder:
        attempt = try_wheel if is_wheel else try_sdist
        environment = attempt(artifact.resolve(), interpreter_for(artifact, pythons), Path(folder))
        if with_quick_start:
            quick_start(environment, artifact.resolve())
    print(f"{artifact.name}: installs and answers, {time.monotonic() - begin:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("pythons", nargs="*", help="interpreters of the wheels, where they are not on the path")
    parser.add_argument("--quickstart", action="store_true", help="run the first notebook, too")
    told = parser.parse_args()
    artifacts = [*sorted(told.folder.glob("*.whl")), *sorted(told.folder.glob("*.tar.gz"))]
    for artifact in artifacts:
        check(artifact, told.pythons, with_quick_start=told.quickstart)
    if not artifacts:
        sys.exit(f"no wheel or sdist in {told.folder}")


if __name__ == "__main__":
    main()
