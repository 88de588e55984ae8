# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The response cache and the rate limiter count and refuse as in the real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.conformance.conftest import StartRealTriton
from tests.conformance.ensemble_cases import ROW
from tests.conformance.peer import RealTriton
from tests.conformance.side_by_side import ask, counts, infer_own, infer_real, load_both
from tests.flow import chain, ensemble_text, model_text, write_repository

pytest.importorskip("workbench._native", reason="no core: make build")

CACHED = "response_cache { enable: true }"
CACHE_MODELS = {
    "direct": model_text(addend=1, extra=CACHED),
    "dynamic": model_text(addend=1, extra=f"dynamic_batching {{ }} {CACHED}"),
    "silent": model_text("leave_out", extra=CACHED),
    "plain": model_text(addend=1),
    "composed": ensemble_text(*chain("plain"), extra=CACHED),
    "around": ensemble_text(*chain("direct")),
}


def limited(resources: str) -> str:
    group = "instance_group [ { kind: KIND_CPU count: 1 } ]"
    limiter = f"rate_limiter {{ resources [ {resources} ] }}"
    return model_text().replace(group, f"instance_group [ {{ kind: KIND_CPU count: 1 {limiter} }} ]")


LIMITED_MODELS = {
    "fits": limited('{ name: "R" count: 4 }'),
    "largest": limited('{ name: "R" count: 5 }'),
    "too_large": limited('{ name: "R" count: 6 }'),
    "unheard_of": limited('{ name: "S" count: 1 }'),
    "nothing": limited('{ name: "S" count: 0 }'),
    "twice": limited('{ name: "R" count: 9 }, { name: "R" count: 1 }'),
    "free": model_text(),
    # The last: once the real server has refused one for this, it refuses every model.
    "global": limited('{ name: "R" count: 1 global: true }'),
}
OPTIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "off": ([], {}),
    "no limits told": (["--rate-limit=execution_count"], {"rate_limit": "execution_count"}),
    "limits told": (
        ["--rate-limit=execution_count", "--rate-limit-resource=R:5"],
        {"rate_limit": "execution_count", "rate_limit_resources": {"R": 5}},
    ),
    "limits of a device": (
        ["--rate-limit=execution_count", "--rate-limit-resource=R:5:0"],
        {"rate_limit": "execution_count", "rate_limit_resources": {("R", 0): 5}},
    ),
}


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_repository(tmp_path_factory.mktemp("cached"), CACHE_MODELS)


@pytest.fixture(scope="module")
def real(real_triton: StartRealTriton, cached: Path, flow: Path) -> RealTriton:
    return real_triton(cached, flow, args=["--model-control-mode=explicit", "--cache-config=local,size=1048576"])


@pytest.fixture(scope="module")
def own(cached: Path, flow: Path) -> Iterator[wb.Server]:
    with wb.Server(cached, name="cached", backends=[flow], response_cache_byte_size=1 << 20) as server:
        yield server


@pytest.mark.parametrize("name", [name for name in CACHE_MODELS if name != "plain"])
def test_hits_and_misses_are_counted_alike(real: RealTriton, own: wb.Server, name: str) -> None:
    assert load_both(real, own, name) == (200, 200)
    for value in (1, 1, 2, 1, 1):
        inputs = {"IN": np.full((1, 4), value, np.float32)}
        assert infer_own(own, name, inputs, ()) == infer_real(real, name, inputs, ())
    there = ask(real, f"/v2/models/{name}/stats")[1]["model_stats"][0]
    here = json.loads(own.describe("model_statistics", model=name))["model_stats"][0]
    assert counts(here) == counts(there)


@pytest.mark.parametrize("mode", OPTIONS)
def test_what_can_never_execute_is_refused_alike(real_wheel: Path, tmp_path: Path, flow: Path, mode: str) -> None:
    args, options = OPTIONS[mode]
    write_repository(tmp_path, LIMITED_MODELS)
    with (
        RealTriton(tmp_path, flow, args=["--model-control-mode=explicit", *args]) as real,
        wb.Server(tmp_path, name="limited", backends=[flow], **options) as own,
    ):
        for name in LIMITED_MODELS:
            there, here = load_both(real, own, name)
            assert here == there, name
        for name in ("fits", "free"):
            assert infer_own(own, name, {"IN": ROW}, ()) == infer_real(real, name, {"IN": ROW}, ())
