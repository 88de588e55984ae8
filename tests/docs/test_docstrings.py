# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The reference is made of docstrings: their examples run, and none leaves an argument out."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.docs.pages import PAGES, ROOT

pytest.importorskip("workbench._native", reason="no core: make build")
pytest.importorskip("anywidget", reason="the views are not installed: pip install 'workbench-serving[lab]'")

MODULES = sorted(
    str(path.relative_to(ROOT).with_suffix("")).replace("/", ".").removesuffix(".__init__")
    for path in (ROOT / "workbench").rglob("*.py")
    if re.search(r"^\s+>>> ", path.read_text(), re.MULTILINE)
)
"""Modules with examples."""

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHOWN = re.findall(r"^::: (workbench\.[\w.]+)$", PAGES["docs/reference/api.md"], re.MULTILINE)
FRAMEWORK = {"self", "cls"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model_repository").symlink_to(ROOT / "model_repository")
    known = {"wb": wb, "np": np}
    tried = doctest.testmod(import_module(name), extraglobs=known, optionflags=FLAGS, verbose=False)
    assert tried.attempted > 0 and tried.failed == 0


def test_the_names_that_everybody_begins_with_have_examples() -> None:
    first = ("server.server", "server.sequence", "config.pbtxt", "load.workload", "simulate.simulator")
    assert set(MODULES) >= {f"workbench.{module}" for module in first}


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What can be called of `wb`, and of the classes that the reference shows: functions, constructors, methods."""
    everything = [getattr(wb, name) for name in wb.__all__]
    everything += [getattr(import_module(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in SHOWN[:-1]]
    for thing in dict.fromkeys(everything):
        name = thing.__name__
        if inspect.isclass(thing) and issubclass(thing, Exception):
            continue
        yield name, thing
        if inspect.isclass(thing):
            methods = inspect.getmembers(thing, lambda member: inspect.isfunction(member) or inspect.ismethod(member))
            own = [(method, found) for method, found in methods if found.__module__.startswith("workbench.")]
            yield from ((f"{name}.{method}", found) for method, found in own if not method.startswith("_"))


@pytest.mark.parametrize(("name", "thing"), [pytest.param(*named, id=named[0]) for named in public()])
def test_a_public_name_says_what_it_takes(name: str, thing: Callable[..., Any]) -> None:
    text = inspect.getdoc(thing)
    assert text, name
    told = set(re.findall(r"\w+", " ".join(re.findall(r"^\s+([\w, ]+):", text, re.MULTILINE)))) | {
        word for quoted in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", quoted)
    }
    takes = set(inspect.signature(thing).parameters) - FRAMEWORK
    # One argument that the sentence speaks of needs no list; a field of a frozen value may be an attribute.
    is_plain = len(takes) <= 1 or "arguments" in text
    assert is_plain or takes <= told, f"{name} leaves out {', '.join(sorted(takes - told))}"


def test_a_value_of_the_reference_is_frozen() -> None:
    values = [thing for _, thing in public() if dataclasses.is_dataclass(thing)]
    assert values
    assert all(value.__dataclass_params__.frozen for value in values)
