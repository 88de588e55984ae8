# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError, MissingExtraError, NotFoundError
from workbench.events import (
    EVENT_DTYPE,
    EventColumns,
    EventKind,
    EventNames,
    RecordingWriter,
    Snapshot,
    read_recording,
    recording,
)
from workbench.events.blocks import BLOCK_DTYPE, MOST_BLOCKS, packed, unpacked
from workbench.events.stream import RECORD_FIELDS

pa = pytest.importorskip("pyarrow")

NAMES = EventNames(models=(("", 0), ("echo", 3)), pools=("pinned", "cpu"))
ECHO = {"number": 1, "name": "echo", "version": 3}


def some(count: int, *, first: int = 1) -> np.ndarray:
    records = np.zeros(count, EVENT_DTYPE)
    records["kind"], records["model"], records["count"] = EventKind.REQUEST, 1, 1
    records["id"] = np.arange(first, first + count)
    records["arrival_ns"], records["end_ns"] = records["id"] * 1_000, records["id"] * 1_000 + 500
    return records


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.wbr"


def writer(path: Path) -> RecordingWriter:
    return RecordingWriter(path, began_ns=10, began_unix_ns=1_700_000_000_000_000_000, server="s")


def written(path: Path, *parts: np.ndarray) -> Path:
    told = writer(path)
    for number, records in enumerate(parts, start=1):
        told.write(records, Snapshot(now_ns=number * 1_000, next_since=number, names=NAMES, models=(ECHO,)))
    told.close()
    return path


def test_what_was_written_is_read_back(path: Path) -> None:
    again = read_recording(written(path, some(5), some(3, first=6)))
    assert np.array_equal(again.records, some(8))
    assert (again.names, again.server, again.began_ns, again.end_ns, again.is_complete) == (NAMES, "s", 10, 2_000, True)


def test_columns_of_a_recording_are_those_of_the_log(run: EventColumns, path: Path) -> None:
    records = np.concatenate([getattr(run, name) for name in RECORD_FIELDS if name != "batches"])
    records = np.concatenate([records, run.batches[run.batches["count"] > 1]])
    again = read_recording(written(path, records)).columns()
    for name in RECORD_FIELDS:
        assert np.array_equal(np.sort(getattr(again, name)), np.sort(getattr(run, name))), name


def test_each_snapshot_knows_what_changed_before_it(path: Path) -> None:
    told = writer(path)
    told.write(some(1), Snapshot(now_ns=1, names=NAMES, models=(ECHO,), queues={1: 4}))
    told.write(some(1), Snapshot(now_ns=2, names=NAMES, models=(ECHO,), queues={1: 7}, dropped=3))
    told.write(some(1), Snapshot(now_ns=3, names=NAMES, models=(), queues={}))
    told.close()
    first, second, third = read_recording(path).snapshots
    assert (first.models, second.models, third.models) == ((ECHO,), (ECHO,), ())
    assert (first.queues, second.queues, third.names) == ({1: 4}, {1: 7}, NAMES)
    assert read_recording(path).dropped == 3


def test_a_recording_whose_process_died_is_read_as_far_as_it_was_written(path: Path) -> None:
    told = writer(path)
    told.write(some(4), Snapshot(now_ns=1_000, names=NAMES))
    again = read_recording(path)
    assert (len(again.records), again.is_complete) == (4, False)
    assert "not closed" in repr(again)
    told.close()


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_a_file_that_breaks_off_is_read_up_to_there(path: Path, share: float) -> None:
    data = written(path, *(some(200, first=1 + 200 * i) for i in range(20))).read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    again = read_recording(path)
    assert 0 < len(again.records) < 4_000
    assert np.array_equal(again.records, some(len(again.records)))
    assert not again.is_complete


def test_a_recording_of_nothing_is_one(path: Path) -> None:
    writer(path).close()
    again = read_recording(path)
    assert (len(again.records), again.span_s, again.is_complete) == (0, 0.0, True)


def test_any_reader_of_arrow_reads_it(path: Path) -> None:
    with pa.memory_map(str(written(path, some(5)))) as file, pa.ipc.open_stream(file) as reader:
        table = reader.read_all()
    assert table.column("id").to_pylist() == [1, 2, 3, 4, 5]
    assert str(table.schema.field("arrival_ns").type) == "uint64"


def test_a_frame_has_words_for_numbers(path: Path) -> None:
    pytest.importorskip("pandas")
    frame = read_recording(written(path, some(2))).to_frame()
    assert (frame["model"][0], frame["kind"][0], frame["status"][0]) == ("echo", "request", "ok")
    with pytest.raises(InvalidArgumentError, match="there are requests, refusals, batches"):
        read_recording(path).to_frame("moods")


def test_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no recording .*absent\.wbr"):
        read_recording(tmp_path / "absent.wbr")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken", b"\xff\xff\xff\xff\xff\x00\x00\x00"])
def test_other_file_is_no_recording(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(InvalidArgumentError, match=r"run\.wbr' is no recording"):
        read_recording(path)


def test_another_arrow_stream_is_no_recording(path: Path) -> None:
    table = pa.table({"id": [1, 2]})
    with pa.ipc.new_stream(str(path), table.schema) as stream:
        stream.write_table(table)
    with pytest.raises(InvalidArgumentError, match="Arrow stream of something else"):
        read_recording(path)


def test_recording_of_another_version_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(recording, "VERSION", 99)
        written(path, some(1))
    with pytest.raises(InvalidArgumentError, match="of version 99; version 2 and older can be read here"):
        read_recording(path)


def test_without_pyarrow_the_error_names_the_extra_and_an_older_file_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"older")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"workbench-serving\[record\]"):
        writer(path)
    assert path.read_bytes() == b"older"


def test_a_recording_of_version_1_replays_without_what_it_lacks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(recording, "VERSION", 1)
        written(path, some(3))
    again = read_recording(path)
    assert len(again.records) == 3
    assert (again.snapshots[-1].queue_levels, again.snapshots[-1].blocks, again.snapshots[-1].tensors) == (
        {},
        {},
        ("",),
    )


def test_queues_by_priority_and_blocks_are_read_back(path: Path) -> None:
    blocks = np.zeros(2, BLOCK_DTYPE)
    blocks["address"], blocks["byte_size"], blocks["model"] = (64, 128), 64, (1, 0)
    told = writer(path)
    first = Snapshot(
        now_ns=1, names=NAMES, queue_levels={1: {1: 0, 3: 7}}, blocks={"pinned": blocks}, tensors=("", "OUT")
    )
    told.write(some(1), first)
    told.write(some(1), Snapshot(now_ns=2, names=NAMES, blocks={"pinned": blocks}, tensors=("", "OUT")))
    told.write(some(1), Snapshot(now_ns=3, names=NAMES))
    told.close()
    one, two, three = read_recording(path).snapshots
    assert (one.queue_levels, two.queue_levels, one.tensors) == ({1: {1: 0, 3: 7}}, {}, ("", "OUT"))
    assert np.array_equal(one.blocks["pinned"], blocks)
    assert np.array_equal(two.blocks["pinned"], blocks)
    assert three.blocks == {}


def test_blocks_that_did_not_change_are_written_once(path: Path) -> None:
    blocks = np.zeros(1_000, BLOCK_DTYPE)
    blocks["address"] = np.random.default_rng(1).integers(0, 1 << 40, 1_000)
    told = writer(path)
    sizes = [told.byte_size]
    for number in range(2):
        told.write(some(1), Snapshot(now_ns=number, names=NAMES, blocks={"pinned": blocks}))
        sizes.append(told.byte_size)
    told.close()
    assert sizes[1] - sizes[0] > 5_000 > sizes[2] - sizes[1]


def test_of_very_many_blocks_the_largest_are_kept() -> None:
    blocks = np.zeros(MOST_BLOCKS + 5, BLOCK_DTYPE)
    blocks["address"] = np.arange(len(blocks))
    blocks["byte_size"] = blocks["address"] + 1
    kept = unpacked(packed({"pinned": blocks}))["pinned"]
    assert len(kept) == MOST_BLOCKS
    assert kept["byte_size"].min() == 6
    assert (np.diff(kept["address"].astype(np.int64)) > 0).all()
