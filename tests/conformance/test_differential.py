# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated models and requests answered by both servers: the same codes, configurations, tensors and counts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import workbench as wb
from tests.conformance.both_servers import Ours, Real, add_model
from tests.conformance.conftest import StartRealTriton
from tests.conformance.generated import Model, Sent, models
from tests.conformance.test_management import backends

EXAMPLES = 300


class Pair:
    """Both servers over one repository, to which every example adds a model of its own."""

    def __init__(self, repository: Path, ours: Ours, real: Real) -> None:
        self._repository = repository
        self._ours = ours
        self._real = real
        self._names = (f"m{number}" for number in itertools.count())

    def differences(self, model: Model) -> list[tuple[str, Any, Any]]:
        """(what, ours, theirs) of everything that is not the same."""
        name = next(self._names)
        add_model(self._repository, name, model.text())
        try:
            theirs = self._real.load(name)
        except ConnectionError:  # it ended: no answer to compare with
            return []
        ours = self._ours.load(name)
        if ours[0] != theirs[0]:
            return [("load", ours, theirs)]
        if ours[0] != 200:
            return []
        try:
            return list(self._served(name, model))
        finally:
            self._real.unload(name)
            self._ours.unload(name)

    def _served(self, name: str, model: Model) -> Iterator[tuple[str, Any, Any]]:
        pairs: list[tuple[str, Any, Any]] = []
        pairs.append(("config", comparable(self._ours.config(name)), comparable(self._real.config(name))))
        requests = [sent for sent in model.requests if not differs_on_purpose(model, sent)]
        for number, sent in enumerate(requests):
            pairs.append((f"request {number}: {sent}", self._ours.infer(name, sent), self._real.infer(name, sent)))
        ours = self._ours.counts(name)
        pairs.append(("counts", ours, self._real.counts_once(name, lambda theirs: theirs == ours)))
        return (pair for pair in pairs if pair[1] != pair[2])


def differs_on_purpose(model: Model, sent: Sent) -> bool:
    """Requests that the real server should refuse, and does not: both are rows of docs/compatibility.md."""
    required = [tensor.input_name for tensor in model.tensors if not tensor.is_optional]
    is_short = len(sent.inputs) >= len(required) and not set(required) <= set(sent.inputs)
    has_no_rows = model.max_batch_size > 0 and any(array.shape[:1] == (0,) for array in sent.inputs.values())
    return is_short or has_no_rows


def comparable(value: Any) -> Any:
    """The real server prints some 64-bit integers as strings, and lacks fields of newer releases."""
    if isinstance(value, dict):
        return {name: comparable(element) for name, element in value.items() if name != "max_inflight_requests"}
    if isinstance(value, list):
        return [comparable(element) for element in value]
    return int(value) if isinstance(value, str) and value.isdigit() else value


@pytest.fixture(scope="module")
def pair(real_triton: StartRealTriton, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    repository = tmp_path_factory.mktemp("repository")
    with wb.Server(repository, name="differential") as server:
        real = Real(lambda: real_triton(repository, backends(), args=["--model-control-mode=explicit"]))
        yield Pair(repository, Ours(server), real)


@settings(
    max_examples=EXAMPLES, derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(model=models())
def test_both_servers_answer_alike(pair: Pair, model: Model) -> None:
    assert pair.differences(model) == [], model.text()
