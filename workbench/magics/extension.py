# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Registers the magics and the completion of model names with a notebook's shell.

A magic is a module of this package that holds a function of the same name, made by `magic_arguments`. To add one, add
its module and its line below.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, Literal

from IPython.display import display

from workbench.magics.completion import complete_models

MAGICS: Final[tuple[tuple[Literal["line", "cell"], str], ...]] = (
    ("line", "serve"),
    ("line", "models"),
    ("line", "infer"),
    ("line", "stats"),
    ("line", "watch"),
    ("line", "drive"),
    ("line", "simulate"),
    ("line", "sweep"),
    ("line", "export"),
    ("cell", "model"),
    ("cell", "model_py"),
    ("cell", "backend"),
)


def load_ipython_extension(shell: Any) -> None:
    """Register every magic; a second call changes nothing."""
    for kind, name in MAGICS:
        function = getattr(import_module(f"workbench.magics.{name}"), name)
        shell.register_magic_function(function, magic_kind=kind, magic_name=name)
    _add_matcher(shell)
    import_module("workbench.views.formatters").register(shell)
    _show_crashes()


def _show_crashes() -> None:
    """What brought the last kernel down is the first thing that this one shows."""
    try:
        reports = import_module("workbench.build").take_crash_reports()
    except ImportError:  # no core: the first server tells
        return
    for report in reports:
        display(report)  # type: ignore[no-untyped-call]


def _add_matcher(shell: Any) -> None:
    matchers = shell.Completer.custom_matchers
    if complete_models not in matchers:
        matchers.append(complete_models)
