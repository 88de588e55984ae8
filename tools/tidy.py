# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the native sources as the `clang` preset compiles them; exits with 1 where it finds something.

The compiler's own warnings are among its findings, so the lock annotations are checked without another build.

A verdict is remembered under the hash of the source, of every header and of the rules, so that only what changed
is read again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/clang"
VERDICTS = BUILD / "tidy"


def compiled_sources() -> list[Path]:
    """Our own translation units in the compilation database, tests left out."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    files = sorted({Path(command["file"]) for command in commands})
    return [path for path in files if path.is_relative_to(ROOT / "native") and not path.stem.endswith("_test")]


def digest_of_rules() -> bytes:
    """Hash of everything but the source itself that a verdict depends on."""
    headers = sorted((ROOT / "native").rglob("*.h")) + sorted((ROOT / "native").rglob("*.hpp"))
    state = hashlib.sha256()
    for path in (ROOT / ".clang-tidy", *headers):
        state.update(path.read_bytes())
    return state.digest()


def check(source: Path, rules: bytes) -> str:
    """What clang-tidy says about `source`; empty when it is clean."""
    verdict = VERDICTS / hashlib.sha256(rules + source.read_bytes() + str(source).encode()).hexdigest()
    if verdict.exists():
        return ""
    result = subprocess.run(
        ["clang-tidy", "--quiet", "-p", str(BUILD), str(source)], capture_output=True, text=True, check=False
    )
    if result.returncode == 0:
        verdict.touch()
        return ""
    return result.stdout + result.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    VERDICTS.mkdir(exist_ok=True)
    rules = digest_of_rules()
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(lambda source: report(check(source, rules)), compiled_sources()))
    return 0 if all(verdicts) else 1


def report(complaint: str) -> bool:
    """Prints what was found; whether nothing was."""
    if complaint:
        print(complaint, flush=True)
    return not complaint


if __name__ == "__main__":
    sys.exit(main())
