# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Control by polling: what changes in the repositories is served two looks later, here and in the real server."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

import workbench as wb
from tests.conformance.peer import RealTriton
from tests.conformance.side_by_side import ask
from tests.flow import model_text, write_repository

pytest.importorskip("workbench._native", reason="no core: make build")

EVERY_VERSION = "version_policy { all { } }"
PERIOD_S, TWO_LOOKS_S = 1, 5
Ready = set[tuple[str, int]]


class Polled:
    """Two repositories, and a server that looks at them."""

    def __init__(self, folder: Path, ready: Callable[[], Ready], look: Callable[[], None] | None) -> None:
        self.first, self.second = folder / "first", folder / "second"
        self._ready = ready
        self._look = look

    def serves(self, *wanted: tuple[str, int]) -> bool:
        """Whether exactly these versions are ready after two looks at most."""
        end = monotonic() + TWO_LOOKS_S
        looks = 0
        while self._ready() != set(wanted) and monotonic() < end and looks < 2:
            if self._look is not None:
                self._look()
                looks += 1
        return self._ready() == set(wanted)


def real_ready(real: RealTriton) -> Ready:
    # Its list of those that are ready has ambiguous ones, too.
    entries = ask(real, "/v2/repository/index", {})[1]
    return {(entry["name"], int(entry["version"])) for entry in entries if entry.get("state") == "READY"}


@pytest.fixture(params=["own", "real"])
def polled(request: pytest.FixtureRequest, tmp_path: Path, flow: Path) -> Iterator[Polled]:
    write_repository(tmp_path / "first", {"steady": model_text()})
    (tmp_path / "second").mkdir()
    if request.param == "own":
        folders = [tmp_path / "first", tmp_path / "second"]
        with wb.Server(folders, name="polled", control="poll", poll_s=1000, backends=[flow]) as server:
            yield Polled(tmp_path, lambda: {(one.name, one.version) for one in server.index(ready=True)}, server.poll)
        return
    request.getfixturevalue("real_wheel")
    options = ["--model-control-mode=poll", f"--repository-poll-secs={PERIOD_S}"]
    with RealTriton(tmp_path / "first", flow, args=[*options, f"--model-repository={tmp_path}/second"]) as real:
        yield Polled(tmp_path, lambda: real_ready(real), None)


STEADY = ("steady", 1)


def test_a_broken_model_is_mended_and_another_one_added(polled: Polled) -> None:
    write_repository(polled.first, {"broken": "max_batch_size: many"})
    write_repository(polled.first, {"seen": model_text()})
    assert polled.serves(STEADY, ("seen", 1))
    write_repository(polled.first, {"broken": model_text(), "another": model_text()})
    assert polled.serves(STEADY, ("seen", 1), ("broken", 1), ("another", 1))


def test_models_come_and_go_with_their_folders(polled: Polled) -> None:
    write_repository(polled.second, {"m": model_text()})
    assert polled.serves(STEADY, ("m", 1))
    shutil.rmtree(polled.first / "steady")
    assert polled.serves(("m", 1))


def test_versions_come_and_go_with_their_folders(polled: Polled) -> None:
    (polled.first / "steady" / "2").mkdir()
    assert polled.serves(("steady", 2))
    (polled.first / "steady" / "config.pbtxt").write_text(model_text(extra=EVERY_VERSION))
    assert polled.serves(STEADY, ("steady", 2))
    (polled.first / "steady" / "1").rmdir()
    assert polled.serves(("steady", 2))


@pytest.mark.parametrize("broken", ["max_batch_size: many", model_text(backend="nowhere"), 'name: "other"', "\xff"])
def test_what_served_goes_on_when_its_configuration_breaks(polled: Polled, broken: str) -> None:
    (polled.first / "steady" / "config.pbtxt").write_bytes(broken.encode("latin-1"))
    write_repository(polled.first, {"seen": model_text()})
    assert polled.serves(STEADY, ("seen", 1))


def test_a_name_in_two_repositories_serves_from_neither_until_it_is_in_one(polled: Polled) -> None:
    write_repository(polled.second, {"steady": model_text(), "seen": model_text()})
    assert polled.serves(("seen", 1))
    shutil.rmtree(polled.first / "steady")
    assert polled.serves(STEADY, ("seen", 1))
