# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Cells become backends: compiled, kept, tried in a child process, offered to the servers of this process."""

from workbench.build.build import build_backend
from workbench.build.cache import BuildCache
from workbench.build.crash_report import CrashReport, take_crash_reports, watch_for_crashes
from workbench.build.diagnostics import Diagnostic
from workbench.build.doctor import Finding, toolchain_report
from workbench.build.installation import get_include
from workbench.build.library import Library
from workbench.build.origins import cell_of, remember_cell
from workbench.build.registry import built

__all__ = [
    "BuildCache",
    "CrashReport",
    "Diagnostic",
    "Finding",
    "Library",
    "build_backend",
    "built",
    "cell_of",
    "get_include",
    "remember_cell",
    "take_crash_reports",
    "toolchain_report",
    "watch_for_crashes",
]
