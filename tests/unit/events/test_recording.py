# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.events import EventColumns, recording, replay, save
from workbench.events.stream import RECORD_FIELDS


def test_replay_gives_back_what_was_saved(run: EventColumns, tmp_path: Path) -> None:
    again = replay(save(run, tmp_path / "run.wbr"))
    for name in RECORD_FIELDS:
        assert np.array_equal(getattr(again, name), getattr(run, name))
    assert (again.next_since, again.dropped, again.names) == (run.next_since, run.dropped, run.names)


def test_file_gets_no_name_but_the_one_asked_for(run: EventColumns, tmp_path: Path) -> None:
    save(run, tmp_path / "run.wbr")
    assert [path.name for path in tmp_path.iterdir()] == ["run.wbr"]


def test_saving_again_replaces_the_recording(run: EventColumns, tmp_path: Path) -> None:
    path = save(run, tmp_path / "run.wbr")
    assert replay(save(run, path)).requests["id"].tolist() == run.requests["id"].tolist()


def test_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no recording .*absent\.wbr"):
        replay(tmp_path / "absent.wbr")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken"])
def test_other_file_is_no_recording(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.wbr").write_bytes(content)
    with pytest.raises(InvalidArgumentError, match=r"x\.wbr' is no recording"):
        replay(tmp_path / "x.wbr")


def test_archive_of_another_kind_is_no_recording(tmp_path: Path) -> None:
    with (tmp_path / "x.wbr").open("wb") as file:
        np.savez(file, values=np.arange(3))
    with pytest.raises(InvalidArgumentError, match="is no recording"):
        replay(tmp_path / "x.wbr")


def test_recording_of_another_version_says_so(
    run: EventColumns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(recording, "VERSION", 99)
        save(run, tmp_path / "x.wbr")
    with pytest.raises(InvalidArgumentError, match="of version 99; version 1 can be read here"):
        replay(tmp_path / "x.wbr")
