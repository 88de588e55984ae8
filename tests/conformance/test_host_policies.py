# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Host policies pin instances to cores, or are refused, here and in the real server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.conformance.conftest import StartRealTriton
from tests.conformance.peer import RealTriton
from tests.conformance.side_by_side import infer_own, infer_real, load_both
from tests.flow import model_text, write_repository

pytest.importorskip("workbench._native", reason="no core: make build")

PINNED = {
    "first": {"cpu-cores": "0-0"},
    "second": {"cpu-cores": "1-1"},
    "range": {"cpu-cores": "0-1"},
    "list": {"cpu-cores": "0-0,1-1"},
    "again": {"cpu-cores": "0-0,0-1"},
    "node": {"numa-node": "0"},
    "node_and_core": {"numa-node": "0", "cpu-cores": "1-1"},
    "absent": {},
}
REFUSED = {
    "word": {"cpu-cores": "many"},
    "open_range": {"cpu-cores": "0-"},
    "list_end": {"cpu-cores": "0-0,"},
    "negative": {"cpu-cores": "-1"},
    "backwards": {"cpu-cores": "1-0"},
    "absent_core": {"cpu-cores": "900-900"},
    "absent_node": {"numa-node": "60"},
    "no_node": {"numa-node": "x"},
    "negative_node": {"numa-node": "-1"},
}
# The original wants a range even of one core, and reads a number as far as it is one.
DIFFERENT = {"one_core": {"cpu-cores": "1"}, "cores": {"cpu-cores": "0,1"}, "fraction": {"numa-node": "0.5"}}
POLICIES = {**PINNED, **REFUSED, **DIFFERENT}
ALL_CORES = sum(1 << core for core in os.sched_getaffinity(0) if core < 16)
ONE = {"IN": np.zeros((1, 4), np.float32)}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    group = "instance_group [ { kind: KIND_CPU count: 1 } ]"
    text = model_text(backend="witness")
    texts = {name: text.replace(group, group.replace("1 }", f'1 host_policy: "{name}" }}')) for name in POLICIES}
    return write_repository(tmp_path_factory.mktemp("policies"), texts)


@pytest.fixture(scope="module")
def real(real_triton: StartRealTriton, repository: Path, test_backends: Path) -> RealTriton:
    told = [f"--host-policy={name},{key}={value}" for name in POLICIES for key, value in POLICIES[name].items()]
    return real_triton(repository, test_backends, args=["--model-control-mode=explicit", *told])


@pytest.fixture(scope="module")
def own(repository: Path, test_backends: Path) -> Iterator[wb.Server]:
    with wb.Server(repository, name="policies", backends=[test_backends], host_policies=POLICIES) as server:
        yield server


def cores(reply: tuple[int, Any]) -> int:
    """The cores that the executing thread may run on, as bits."""
    status, outputs = reply
    assert status == 200
    return int(np.ravel(outputs["OUT"][1])[1])


@pytest.mark.parametrize("name", PINNED)
def test_policy_pins_alike(real: RealTriton, own: wb.Server, name: str) -> None:
    assert load_both(real, own, name) == (200, 200)
    own_cores, real_cores = cores(infer_own(own, name, ONE, ())), cores(infer_real(real, name, ONE, ()))
    # Where no cores are told, the original's instances keep those of whatever was loaded before.
    assert own_cores == (real_cores if "cpu-cores" in PINNED[name] else ALL_CORES)


@pytest.mark.parametrize("name", REFUSED)
def test_policy_that_can_not_be_is_refused_alike(real: RealTriton, own: wb.Server, name: str) -> None:
    assert load_both(real, own, name) == (400, 400)


@pytest.mark.parametrize(
    ("name", "told"), [("word", "such as 0-3,8"), ("no_node", "such as 0"), ("fraction", "such as 0")]
)
def test_refusal_says_what_would_be_right(own: wb.Server, name: str, told: str) -> None:
    with pytest.raises(wb.LoadError, match=f"host policy setting [a-z-]+ is '[a-z0-9.]+'; .*{told}"):
        own.load(name)


@pytest.mark.parametrize(("name", "bits"), [("one_core", 2), ("cores", 3)])
def test_single_cores_need_no_range(own: wb.Server, name: str, bits: int) -> None:
    own.load(name)
    assert cores(infer_own(own, name, ONE, ())) == bits
