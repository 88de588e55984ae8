# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/c-interface.md: which functions of the C interface the core implements.

The truth is in two places: the headers declare the functions, native/src/capi defines them. `WITHOUT_EFFECT`
lists those that take a value which nothing acts on, and why. Run `python tools/interface_table.py` after
editing any of these; `--check` only compares, and exits with 1 where the page is out of date.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADERS = ROOT / "native/include/triton/core"
SOURCES = ROOT / "native/src/capi"
PAGE = ROOT / "docs/reference/c-interface.md"

WITHOUT_EFFECT = {
    "TRITONSERVER_ServerOptionsSetBufferManagerThreadCount": "the instance that executes gathers its inputs itself",
    "TRITONSERVER_ServerOptionsSetCudaVirtualAddressSize": "pools grow by what is allocated, in no range of their own",
    "TRITONSERVER_ServerOptionsSetEnablePeerAccess": "the core copies nothing between GPUs; backends open peers",
    "TRITONSERVER_ServerOptionsSetMetricsInterval": "figures of the machine are read when the page is asked for",
    "TRITONSERVER_ServerOptionsSetMinSupportedComputeCapability": "a backend refuses what it can not run on",
    "TRITONSERVER_ServerOptionsSetRepoAgentDirectory": "there are no agents; a model that wants one is refused",
}

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SECTION = re.compile(r"/\* ---- (.+?) ---- \*/")
_FUNCTION = re.compile(r"\w+_(DECLSPEC|ISPEC)\s[\w\s*]*?\b(TRITON\w+)\([^;]*\);")
_DEFINITION = re.compile(r"^(?:[\w*]+[ *]+)+(TRITON\w+)\([^;{]*\)\s*\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a header; `provided` by the server, else an entry point of a plug-in."""

    name: str
    section: str
    provided: bool


def functions(header: str) -> list[Function]:
    """The functions that `header`, such as "tritonserver.h", declares, in its order."""
    _, *parts = _SECTION.split((HEADERS / header).read_text())
    found = []
    for section, text in zip(parts[::2], parts[1::2], strict=True):
        matches = _FUNCTION.finditer(_COMMENT.sub("", text))
        found += [Function(match[2], section, match[1] == "DECLSPEC") for match in matches]
    return found


def implemented() -> set[str]:
    """Names of the functions that the core's sources define."""
    text = "\n".join(path.read_text() for path in sorted(SOURCES.glob("*.cc")) if not path.stem.endswith("_test"))
    return set(_DEFINITION.findall(text))


def page() -> str:
    """Text of the reference page."""
    known = implemented()
    tables = [_header_table(header, known) for header in ("tritonserver.h", "tritonbackend.h", "tritoncache.h")]
    return "\n".join([_INTRODUCTION, *tables])


_INTRODUCTION = """\
<!-- Written by tools/interface_table.py; do not edit. -->
# The C interface

`libtritonserver.so` exports every function that a server provides, so that whatever names one
loads. Entry points are defined by a backend or a cache and called by the core.
"""


def _header_table(header: str, known: set[str]) -> str:
    declared = functions(header)
    provided = [f for f in declared if f.provided]
    count = sum(f.name in known for f in provided)
    counts = f"Provided by the server: {len(provided)}, of which {count} are implemented."
    entries = f" Entry points: {len(declared) - len(provided)}."
    lines = [f"## {header}", "", counts + entries, "", "| function | | section |", "|---|---|---|"]
    lines += [f"| `{f.name}` | {_standing(f, known)} | {f.section} |" for f in declared]
    return "\n".join(lines) + "\n"


def _standing(function: Function, known: set[str]) -> str:
    if not function.provided:
        return "entry point"
    if function.name not in known:
        return "missing"
    reason = WITHOUT_EFFECT.get(function.name)
    return f"kept, without effect: {reason}" if reason else "implemented"


def main() -> int:
    """Writes the page, or with `--check` compares it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 where out of date")
    if not parser.parse_args().check:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page())
        return 0
    if PAGE.exists() and PAGE.read_text() == page():
        return 0
    print(f"{PAGE} is out of date: run python tools/interface_table.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
