# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the native sources as the `clang` preset compiles them; exits with 1 where it finds something.

The compiler's own warnings are among its findings, so the lock annotations are checked without another build. Sources
of a folder are read together, since most of the time goes into headers that they share; where they do not fit into one
translation unit each is read alone. A verdict is remembered under the hash of its sources, of every header and of the
rules, so that only what changed is read again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/clang"
VERDICTS = BUILD / "tidy"
MOST_TOGETHER = 8
DO_NOT_FIT = "clang-diagnostic-error"


@dataclass(frozen=True, slots=True)
class Unit:
    """Sources of one folder that are compiled with the same flags."""

    sources: tuple[Path, ...]
    flags: tuple[str, ...]

    def alone(self) -> Iterator[Unit]:
        """Each of the sources by itself."""
        return (Unit((source,), self.flags) for source in self.sources)


def units() -> Iterator[Unit]:
    """Our own sources in the compilation database, tests left out."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    groups: dict[tuple[Path, tuple[str, ...]], list[Path]] = {}
    for command in sorted(commands, key=lambda command: str(command["file"])):
        source = Path(command["file"])
        if source.is_relative_to(ROOT / "native") and not source.stem.endswith("_test"):
            groups.setdefault((source.parent, flags_of(command["command"])), []).append(source)
    for (_, flags), sources in groups.items():
        # A folder with rules of its own keeps them when its sources are read alone.
        most = 1 if (sources[0].parent / ".clang-tidy").exists() else MOST_TOGETHER
        for first in range(0, len(sources), most):
            yield Unit(tuple(sources[first : first + most]), flags)


def flags_of(command: str) -> tuple[str, ...]:
    """The compiler's arguments up to its output."""
    words = command.split()
    return tuple(words[1 : words.index("-o")])


def digest_of_rules() -> bytes:
    """Hash of everything but the sources themselves that a verdict depends on."""
    headers = sorted((ROOT / "native").rglob("*.h")) + sorted((ROOT / "native").rglob("*.hpp"))
    state = hashlib.sha256()
    for path in (ROOT / ".clang-tidy", *headers):
        state.update(path.read_bytes())
    return state.digest()


def check(unit: Unit, rules: bytes) -> str:
    """What clang-tidy says about the unit; empty when it is clean."""
    verdict = VERDICTS / f"{digest(unit, rules)}.clean"
    if verdict.exists():
        return ""
    complaint = complaint_about(unit)
    if len(unit.sources) > 1 and DO_NOT_FIT in complaint:
        complaint = "".join(complaint_about(alone) for alone in unit.alone())
    if not complaint:
        verdict.touch()
    return complaint


def digest(unit: Unit, rules: bytes) -> str:
    state = hashlib.sha256(rules + "\0".join(unit.flags).encode())
    for source in unit.sources:
        state.update(str(source).encode() + source.read_bytes())
    return state.hexdigest()


def complaint_about(unit: Unit) -> str:
    """One run of clang-tidy."""
    path = unit.sources[0]
    if len(unit.sources) > 1:
        path = VERDICTS / f"{hashlib.sha256(str(unit.sources).encode()).hexdigest()}.cc"
        path.write_text(
            "".join(f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n' for source in unit.sources)
        )
    command = ["clang-tidy", "--quiet", str(path), "--", *unit.flags]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=BUILD)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    VERDICTS.mkdir(exist_ok=True)
    rules = digest_of_rules()
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(lambda unit: report(check(unit, rules)), units()))
    return 0 if all(verdicts) else 1


def report(complaint: str) -> bool:
    """Prints what was found; whether nothing was."""
    if complaint:
        print(complaint, flush=True)
    return not complaint


if __name__ == "__main__":
    sys.exit(main())
