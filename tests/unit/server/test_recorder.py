# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.events import EVENT_DTYPE, EventKind, read_recording
from workbench.server import Server, recorder
from workbench.testing import FakeEngine

pytest.importorskip("pyarrow")


def requests(count: int) -> np.ndarray:
    records = np.zeros(count, EVENT_DTYPE)
    records["kind"], records["id"] = EventKind.REQUEST, np.arange(count)
    return records


def test_what_came_while_it_ran_is_in_the_file(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    engine.records = requests(3)
    with server.record(tmp_path / "run.wbr") as running:
        engine.records = requests(8)
    assert read_recording(running.path).records["id"].tolist() == [3, 4, 5, 6, 7]
    assert "closed: 5 events" in repr(running)


def test_the_past_is_in_it_where_that_is_asked_for(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    engine.records = requests(3)
    path = server.record(tmp_path / "run.wbr", past=True).close()
    assert len(read_recording(path).records) == 3


def test_more_than_one_reading_holds_is_written_whole(
    server: Server, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "_MOST", 4)
    running = server.record(tmp_path / "run.wbr")
    engine.records = requests(11)
    assert read_recording(running.close()).records["id"].tolist() == list(range(11))


def test_a_model_is_told_with_its_configuration(server: Server, tmp_path: Path) -> None:
    server.load("m")
    again = read_recording(server.record(tmp_path / "run.wbr").close())
    (model,) = again.snapshots[-1].models
    assert (model["name"], model["instances"]) == ("m", [["CPU", 0]])


def test_the_end_of_the_server_ends_the_recording(server: Server, tmp_path: Path) -> None:
    running = server.record(tmp_path / "run.wbr")
    server.close()
    assert running.is_closed
    assert read_recording(running.path).is_complete


def test_two_recordings_do_not_write_one_file(server: Server, tmp_path: Path) -> None:
    first = server.record(tmp_path / "run.wbr")
    with pytest.raises(InvalidArgumentError, match="being written by another"):
        server.record(tmp_path / "run.wbr")
    first.close()
    server.record(tmp_path / "run.wbr").close()


def test_a_server_without_events_says_so(repository: Path, engine: FakeEngine, tmp_path: Path) -> None:
    server = Server(repository, name="quiet", event_byte_size=0, engine=engine)
    with server, pytest.raises(InvalidArgumentError, match="event_byte_size"):
        server.record(tmp_path / "run.wbr")


def test_a_disk_that_is_full_ends_the_recording_and_not_the_server(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder.RecordingWriter, "write", _fail)
    running = server.record(tmp_path / "run.wbr")
    running.close()
    assert "no space" in repr(running)


def _fail(*_: object) -> None:
    raise OSError("no space left on device")
