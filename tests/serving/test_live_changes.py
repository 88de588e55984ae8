# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Instances, versions and configurations change while requests are sent; none is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.flow import write_repository

ONE = np.zeros((1, 4), np.float32)
SENDERS = 3


def text(*, count: int = 1, extra: str = "", max_batch_size: int = 8) -> str:
    return f"""
    backend: "identity" max_batch_size: {max_batch_size}
    input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] }} ]
    output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] }} ]
    instance_group [ {{ kind: KIND_CPU count: {count} }} ]
    {extra}
    """


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    write_repository(tmp_path, {"m": text(extra="version_policy { all { } }")})
    for version in ("2", "3"):
        (tmp_path / "m" / version).mkdir()
    return tmp_path


@pytest.fixture
def live(repository: Path) -> Iterator[wb.Server]:
    with wb.Server(repository, name="live") as server:
        server.load("m")
        yield server


class Load:
    """Requests one after the other from several threads; what came of them."""

    def __init__(self, send: Callable[[], Any]) -> None:
        self.answered = 0
        self.errors: list[wb.WorkbenchError] = []
        self._send = send
        self._lock = Lock()
        self._stop = Event()
        self._threads = [Thread(target=self._run) for _ in range(SENDERS)]

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._send()
            except wb.WorkbenchError as exc:
                self.errors.append(exc)
            else:
                with self._lock:
                    self.answered += 1

    @contextmanager
    def sent(self) -> Iterator[None]:
        """Send for as long as the body runs; every request must have been answered."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in self._threads:
                thread.join()
        assert self.errors == []
        assert self.answered > 0

    def pass_through(self, count: int = 20) -> None:
        """Wait until so many further requests are answered."""
        wanted = self.answered + count
        while self.answered < wanted and not self.errors:
            self._stop.wait(0.001)


def test_instances_change_under_load(live: wb.Server) -> None:
    model = live.model("m", version=3)
    load = Load(lambda: model.infer({"INPUT0": ONE}))
    with load.sent():
        for count in (2, 4, 1, 3, 1):
            model.reconfigure(instance_group=[{"kind": "KIND_CPU", "count": count}])
            load.pass_through()
    assert model.statistics().success.count == load.answered


def test_versions_change_under_load(live: wb.Server) -> None:
    newest, second = live.model("m"), live.model("m", version=2)
    policies: list[dict[str, Any]] = [
        {"specific": {"versions": [2]}},
        {"all": {}},
        {"specific": {"versions": [1, 2]}},
        {"latest": {"num_versions": 2}},
    ]
    load, pinned = Load(lambda: newest.infer({"INPUT0": ONE})), Load(lambda: second.infer({"INPUT0": ONE}))
    with load.sent(), pinned.sent():
        for policy in policies:
            newest.reconfigure(version_policy=policy)
            load.pass_through()
            pinned.pass_through()
    assert second.statistics().success.count >= pinned.answered
    assert [entry.version for entry in live.index(ready=True)] == [2, 3]


def test_edited_files_are_followed_under_load(live: wb.Server, repository: Path) -> None:
    model = live.model("m", version=3)
    load = Load(lambda: model.infer({"INPUT0": ONE}))
    edits = [
        text(count=3, extra="version_policy { all { } }"),
        text(count=2, extra="version_policy { specific { versions: [ 3 ] } }"),
        text(extra="dynamic_batching { max_queue_delay_microseconds: 50 }"),
        text(extra="dynamic_batching { max_queue_delay_microseconds: 90 }"),
        text(max_batch_size=2),
    ]
    with load.sent():
        for edit in edits:
            (repository / "m" / "config.pbtxt").write_text(edit)
            live.load("m")
            load.pass_through()
    assert "max_batch_size: 2" in live.model("m").config


def test_a_change_that_fails_leaves_everything_as_it_was_under_load(live: wb.Server, repository: Path) -> None:
    model = live.model("m")
    before = model.config
    load = Load(lambda: model.infer({"INPUT0": ONE}))
    with load.sent():
        for broken in (
            {"instance_group": [{"kind": "KIND_CPU", "gpus": [0]}]},
            {"version_policy": {"specific": {"versions": [9]}}},
        ):
            with pytest.raises(wb.WorkbenchError):
                model.reconfigure(**broken)
        (repository / "m" / "config.pbtxt").write_text("max_batch_size: many")
        with pytest.raises(wb.ConfigError):
            live.load("m")
        load.pass_through()
    assert model.config == before


def test_the_log_tells_what_is_made_anew_and_why(live: wb.Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="workbench.repository"):
        live.model("m").reconfigure(max_queue_delay_microseconds=5)
        live.model("m").reconfigure(instance_group=[{"kind": "KIND_CPU", "count": 2}])
        live.model("m").reconfigure(max_batch_size=4)
    told = [record.getMessage() for record in caplog.records if "made anew" in record.getMessage()]
    assert len(told) == 2
    assert "dynamic_batching can not change under way" in told[0]
    assert "max_batch_size can not change under way" in told[1]
