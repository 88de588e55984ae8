# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The rate limiter: instances of several models share resources, and go by their priorities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb

ONE = np.zeros((1, 1), np.float32)
Start = Callable[..., wb.Server]


def text(resources: str = "", *, priority: int = 1, count: int = 1, milliseconds: float = 20) -> str:
    return f"""
    backend: "synthetic" max_batch_size: 1
    input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
    output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
    parameters [ {{ key: "tau0_us" value: {{ string_value: "{milliseconds * 1000:.0f}" }} }} ]
    instance_group [ {{ kind: KIND_CPU count: {count} rate_limiter {{
        resources [ {resources} ] priority: {priority} }} }} ]
    """


def needs(name: str, count: int, *, is_global: bool = False) -> str:
    return f'{{ name: "{name}" count: {count} global: {str(is_global).lower()} }}'


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    servers = []

    def started(**options: Any) -> wb.Server:
        servers.append(wb.Server(tmp_path, name=f"limited {len(servers)}", **options))
        return servers[-1]

    yield started
    for server in servers:
        server.close()


def executions(server: wb.Server, names: list[str]) -> list[tuple[int, int, str]]:
    """Start, end and model of each execution, after a request to each of the models at once."""
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(lambda name: server.model(name).infer({"INPUT0": ONE}), names))
    requests = server.events().requests
    models = {server.model(name).number: name for name in set(names)}
    rows = [(int(row["start_ns"]), int(row["end_ns"]), models[int(row["model"])]) for row in requests]
    return sorted(rows)


def overlaps(rows: list[tuple[int, int, str]]) -> bool:
    return any(later[0] < earlier[1] for earlier, later in pairwise(rows))


def test_models_that_share_too_little_execute_one_after_the_other(start: Start) -> None:
    server = start(rate_limit="execution_count", rate_limit_resources={"R": 5})
    for name in ("a", "b"):
        server.load(name, config=text(needs("R", 4)))
    assert not overlaps(executions(server, ["a", "b"] * 3))


def test_models_that_share_enough_execute_together(start: Start) -> None:
    server = start(rate_limit="execution_count", rate_limit_resources={"R": 8})
    for name in ("a", "b"):
        server.load(name, config=text(needs("R", 4)))
    assert overlaps(executions(server, ["a", "b"] * 3))


def test_off_is_the_default(start: Start) -> None:
    server = start()
    for name in ("a", "b"):
        server.load(name, config=text(needs("R", 4)))
    assert overlaps(executions(server, ["a", "b"] * 3))


def test_instances_of_one_model_share_too(start: Start) -> None:
    server = start(rate_limit="execution_count")
    server.load("a", config=text(needs("R", 4, is_global=True), count=2))
    assert not overlaps(executions(server, ["a"] * 4))


def test_the_priority_says_how_often_a_model_goes(start: Start) -> None:
    server = start(rate_limit="execution_count", rate_limit_resources={"R": 1})
    server.load("a", config=text(needs("R", 1)))
    server.load("b", config=text(needs("R", 1), priority=2))
    order = [name for _, _, name in executions(server, ["a", "b"] * 6)]
    assert order[:6].count("a") > order[:6].count("b")


def test_what_can_never_be_enough_does_not_load(start: Start) -> None:
    server = start(rate_limit="execution_count", rate_limit_resources={"R": 5})
    with pytest.raises(wb.LoadError, match="needs 10 of resource 'R', but the server has 5"):
        server.load("a", config=text(needs("R", 10)))
    with pytest.raises(wb.LoadError, match="'S'"):
        server.load("a", config=text(needs("S", 1)))


def test_a_limit_of_one_device(start: Start) -> None:
    server = start(rate_limit="execution_count", rate_limit_resources={("R", 0): 5})
    with pytest.raises(wb.LoadError, match="'R'"):
        server.load("a", config=text(needs("R", 6)))
    server.load("a", config=text(needs("R", 5)))


def test_needs_and_priority_change_without_a_reload(start: Start) -> None:
    server = start(rate_limit="execution_count", rate_limit_resources={"R": 2})
    for name in ("a", "b"):
        server.load(name, config=text(needs("R", 2)))
    number = server.model("a").number
    assert not overlaps(executions(server, ["a", "b"] * 2))
    since = server.events().next_since
    for name in ("a", "b"):
        server.model(name).reconfigure(rate_limiter={"resources": [{"name": "R", "count": 1}]})
    assert server.model("a").number == number
    states = server.events(since=since).model_states
    assert len(states) == 0
    with pytest.raises(wb.LoadError, match="'R'"):
        server.model("a").reconfigure(rate_limiter={"resources": [{"name": "R", "count": 3}]})


def test_a_mode_that_does_not_exist_is_refused(start: Start) -> None:
    with pytest.raises(wb.InvalidArgumentError, match="execution_count"):
        start(rate_limit="sometimes")
    with pytest.raises(wb.InvalidArgumentError, match="less than 0"):
        start(rate_limit="execution_count", rate_limit_resources={"R": -1})
