# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Installs each wheel and sdist of a folder into an environment of its own and serves one request there."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

SMOKE = Path(__file__).with_name("dist_smoke.py")


def clean_environment() -> dict[str, str]:
    """The caller's variables without those that would show Python this checkout or another environment."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in hidden}


def check(artifact: Path) -> float:
    """Seconds from an empty environment to the answered request; raises CalledProcessError where a step fails."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="workbench-dist-") as folder:
        venv.create(folder, with_pip=True)
        python = f"{folder}/bin/python"
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(artifact.resolve())]
        subprocess.run(install, check=True, cwd=folder, env=clean_environment())
        subprocess.run([python, "-I", str(SMOKE.resolve())], check=True, cwd=folder, env=clean_environment())
    return time.monotonic() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    artifacts = [*sorted(folder.glob("*.whl")), *sorted(folder.glob("*.tar.gz"))]
    for artifact in artifacts:
        print(f"{artifact.name}: installs and answers in {check(artifact):.0f} s", flush=True)
    if not artifacts:
        sys.exit(f"no wheel or sdist in {folder}")


if __name__ == "__main__":
    main()
