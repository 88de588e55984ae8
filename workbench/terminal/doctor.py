# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`doctor`: what of this machine workbench can use, and what to do about the rest."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Literal

from workbench.build import Finding, toolchain_report
from workbench.display import Table
from workbench.endpoints import doors_report
from workbench.server import gpu_count
from workbench.terminal.output import Output

_MARKS: Final = {"ok": "ok  ", "missing": "-   ", "broken": "FAIL"}


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("doctor", help="look at this machine: compilers, GPUs, packages")
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the findings; the exit status is 1 where something needed is broken."""
    del arguments
    findings = list(examine())
    lines = (f"{_MARKS[finding.state]} {finding.subject}: {finding.detail}" for finding in findings)
    rows = tuple((finding.state, finding.subject, finding.detail) for finding in findings)
    facts = {"findings": [asdict(finding) for finding in findings]}
    output.result(facts, "\n".join(lines), Table(("", "", ""), rows))
    return int(any(finding.state == "broken" for finding in findings))


def examine() -> Iterator[Finding]:
    """Every finding."""
    yield Finding("Python", "ok", f"{platform.python_version()} at {sys.executable}, {os.cpu_count()} processors")
    yield _workbench()
    yield _core()
    yield from toolchain_report()
    yield _gpus()
    yield from doors_report()
    for package, use in _PACKAGES.items():
        yield _package(package, use)


def _workbench() -> Finding:
    try:
        return Finding("workbench", "ok", version("workbench-serving"))
    except PackageNotFoundError:
        return Finding("workbench", "missing", "read from a folder, not installed: run `make build` there")


def _core() -> Finding:
    try:
        from workbench import _native
    except ImportError as exc:
        return Finding("core", "broken", f"{exc}; run `make build`, or install the wheel again")
    return Finding("core", "ok", str(_native.__file__))


def _gpus() -> Finding:
    count = gpu_count()
    state: Literal["ok", "missing"] = "ok" if count else "missing"
    return Finding("GPU", state, f"{count} by the CUDA driver" if count else "none: models need kind: KIND_CPU")


_PACKAGES: Final = {
    "tritonclient": "configurations",
    "ml_dtypes": "BF16 tensors",
    "anywidget": "dashboards",
    "matplotlib": "pictures",
    "pandas": "frames",
}


def _package(name: str, use: str) -> Finding:
    try:
        return Finding(name, "ok", f"{version(name)}, for {use}")
    except PackageNotFoundError:
        return Finding(name, "missing", f"for {use}: pip install {name}")
