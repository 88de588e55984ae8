# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Ensembles behave as in the real server: what loads, what answers, what is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.conformance.conftest import StartRealTriton
from tests.conformance.ensemble_cases import LOADS, MODELS, REQUESTS
from tests.conformance.peer import RealTriton
from tests.conformance.side_by_side import ask, counts, infer_own, infer_real, load_both
from tests.flow import write_repository

pytest.importorskip("workbench._native", reason="no core: make build")


def folder_of(name: str) -> str:
    return name.replace(" ", "_").replace(",", "")


def named(text: str) -> str:
    """Configurations name models by their folders."""
    for name in ("failing step",):
        text = text.replace(f'"{name}"', f'"{folder_of(name)}"')
    return text


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ensembles = {folder_of(name): named(text) for name, text in LOADS.items()}
    return write_repository(tmp_path_factory.mktemp("repository"), {**MODELS, **ensembles})


@pytest.fixture(scope="module")
def real(real_triton: StartRealTriton, repository: Path, flow: Path) -> RealTriton:
    return real_triton(repository, flow, args=["--model-control-mode=explicit"])


@pytest.fixture(scope="module")
def own(repository: Path, flow: Path) -> Iterator[wb.Server]:
    with wb.Server(repository, name="conformance", backends=[flow]) as server:
        yield server


@pytest.mark.parametrize("name", LOADS)
def test_what_loads_is_the_same(real: RealTriton, own: wb.Server, name: str) -> None:
    there, here = load_both(real, own, folder_of(name))
    assert here == there


@pytest.mark.parametrize("name", REQUESTS)
def test_answers_are_the_same(real: RealTriton, own: wb.Server, name: str) -> None:
    model, inputs, outputs = REQUESTS[name]
    assert load_both(real, own, folder_of(model)) == (200, 200)
    there = infer_real(real, folder_of(model), inputs, outputs)
    assert infer_own(own, folder_of(model), inputs, outputs) == there


def test_statistics_are_counted_alike(real: RealTriton, own: wb.Server) -> None:
    assert load_both(real, own, "nested") == (200, 200)
    names = ("nested", "chain", "one", "ten")

    def now() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
        found = {}
        for name in names:
            there = ask(real, f"/v2/models/{name}/stats")[1]["model_stats"][0]
            here = json.loads(own.describe("model_statistics", model=name))["model_stats"][0]
            found[name] = counts(there), counts(here)
        return found

    def grown(after: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
        return {key: value - before.get(key, 0) for key, value in after.items() if value - before.get(key, 0)}

    before = now()
    for rows in (1, 1, 3):
        inputs = {"IN": np.zeros((rows, 4), np.float32)}
        infer_real(real, "nested", inputs, ())
        infer_own(own, "nested", inputs, ())
    after = now()
    for name in names:
        there, here = (grown(after[name][side], before[name][side]) for side in (0, 1))
        assert here == there, name


def states(index: Sequence[Mapping[str, str]], names: Sequence[str]) -> dict[str, str]:
    return {entry["name"]: entry.get("state", "") for entry in index if entry["name"] in names}


def test_models_come_and_go_with_their_ensembles_alike(real: RealTriton, own: wb.Server) -> None:
    names = ("one", "ten", "chain", "nested")
    for name in (*LOADS, *MODELS):
        ask(real, f"/v2/repository/models/{folder_of(name)}/unload", {})
        own.unload(folder_of(name))

    def compare() -> None:
        assert own.wait_settled()
        there: dict[str, str] = {}
        for _ in range(100):
            there = states(ask(real, "/v2/repository/index", {})[1], names)
            if "UNLOADING" not in there.values():
                break
        assert states(json.loads(own.describe("index")), names) == there

    def unload(name: str, *, dependents: bool = False) -> None:
        ask(real, f"/v2/repository/models/{name}/unload", {"parameters": {"unload_dependents": dependents}})
        own.unload(name, unload_dependents=dependents)

    load_both(real, own, "nested")
    compare()
    unload("one")
    compare()
    load_both(real, own, "one")
    compare()
    unload("nested")
    compare()
    load_both(real, own, "nested")
    unload("nested", dependents=True)
    compare()
    load_both(real, own, "ten")
    load_both(real, own, "chain")
    unload("chain", dependents=True)
    compare()
