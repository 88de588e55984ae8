# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings: what a server's log told, in a file. docs/reference/recording.md describes the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.events import arrow
from workbench.events.blocks import Blocks, packed, unpacked
from workbench.events.event import EVENT_DTYPE, BatchReason, EventKind, Records, SequenceFlag, StatusCode
from workbench.events.stream import RECORD_FIELDS, EventColumns, EventNames, columns

if TYPE_CHECKING:
    import pandas as pd

FORMAT: Final = "workbench recording"
VERSION: Final = 2
READABLE: Final = (1, 2)
"""Version 1 had no requests of sequences, no queues by priority and no blocks; what it lacks is empty."""
_BUFFER: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was true when a piece of a recording was written.

    Attributes:
        now_ns: when, on the clock of the events.
        next_since: sequence number after the last record written.
        dropped: events lost since the snapshot before.
        names: what the records' numbers stand for.
        models: the models that served, as mappings: number, name, version and the fields of their configuration.
        pools: the memory pools by number, as mappings of sizes and counts.
        queues: how many requests waited, by number of the model.
        queue_levels: the same by priority level, of models that tell priorities apart.
        blocks: who held what: blocks of each pool by its name, as arrays of BLOCK_DTYPE.
        tensors: names of the tensors that the blocks' numbers stand for.
    """

    now_ns: int = 0
    next_since: int = 0
    dropped: int = 0
    names: EventNames = field(default_factory=EventNames)
    models: tuple[Mapping[str, Any], ...] = ()
    pools: tuple[Mapping[str, Any], ...] = ()
    queues: Mapping[int, int] = field(default_factory=dict)
    queue_levels: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    blocks: Mapping[str, Blocks] = field(default_factory=dict)
    tensors: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Recording:
    """A recording, read.

    Attributes:
        path: the file.
        records: (n,) event records in the order of the log.
        snapshots: what was true at each piece, oldest first; at least one.
        began_unix_ns, began_ns: the start of the recording since 1970, and on the clock of the events.
        server: name of the server.
        is_complete: whether it was closed; else it ends where its process did.
    """

    path: Path
    records: Records
    snapshots: tuple[Snapshot, ...]
    began_unix_ns: int
    began_ns: int
    server: str
    is_complete: bool

    def __repr__(self) -> str:
        end = "" if self.is_complete else ", not closed"
        return f"<Recording {self.path.name}: {len(self.records)} events of {self.span_s:.3g} s{end}>"

    @property
    def names(self) -> EventNames:
        """What the records' numbers stand for."""
        return self.snapshots[-1].names

    @property
    def dropped(self) -> int:
        """Events that were lost before they could be written."""
        return sum(snapshot.dropped for snapshot in self.snapshots)

    @property
    def end_ns(self) -> int:
        """When it ends, on the clock of the events."""
        return self.snapshots[-1].now_ns

    @property
    def span_s(self) -> float:
        """Seconds from its start to its end."""
        return max(self.end_ns - self.began_ns, 0) / 1e9

    def columns(self) -> EventColumns:
        """All of it, sorted by what the records tell."""
        last = self.snapshots[-1]
        return columns(self.records, names=last.names, next_since=last.next_since, dropped=self.dropped)

    def to_frame(self, kind: str = "requests") -> pd.DataFrame:
        """Records of a kind as a pandas DataFrame, with names for numbers.

        Args:
            kind: "requests", "refusals", "batches", "memory", "model_states", "steps" or "sequences".

        Raises:
            InvalidArgumentError: there is no such kind.
        """
        if kind not in RECORD_FIELDS:
            message = f"there is no kind of records {kind!r}; there are {', '.join(RECORD_FIELDS)}"
            raise InvalidArgumentError(message)
        return frame_of(getattr(self.columns(), kind), self.names)


def frame_of(records: Records, names: EventNames) -> pd.DataFrame:
    """Event records as a pandas DataFrame; `model`, `kind`, `detail` and `status` in words."""
    import pandas as pd  # an extra

    frame = pd.DataFrame({name: records[name] for name in arrow.COLUMNS})
    frame["model"] = [names.model(number) for number in records["model"].tolist()]
    frame["kind"] = [_word(EventKind, number) for number in records["kind"].tolist()]
    frame["status"] = [_word(StatusCode, number) for number in records["status"].tolist()]
    if len(records) and records["kind"][0] == EventKind.SEQUENCE:
        frame["flags"] = [_flags(number) for number in records["detail"].tolist()]
    else:
        frame["reason"] = [_word(BatchReason, number) for number in records["detail"].tolist()]
    return frame


def read_recording(path: str | Path) -> Recording:
    """Reads a recording; one whose process crashed is read as far as it goes.

    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: the file is no recording, or one of a version that is not known here.
        MissingExtraError: pyarrow is not installed.
    """
    path = Path(path)
    header = _checked(arrow.read_header(path), path)
    parts, snapshots, is_complete = [np.empty(0, EVENT_DTYPE)], [Snapshot(now_ns=header["began_ns"])], True
    for records, state in arrow.read_batches(path):
        if "now_ns" in state:
            parts.append(records)
            snapshots.append(_snapshot(state, snapshots[-1]))
        is_complete = state.get("is_complete", is_complete)
    return Recording(
        path=path,
        records=np.concatenate(parts),
        snapshots=tuple(snapshots[1:] or snapshots),
        began_unix_ns=header["began_unix_ns"],
        began_ns=header["began_ns"],
        server=header["server"],
        is_complete=is_complete,
    )


class RecordingWriter:
    """Writes a recording piece by piece; each piece is with the operating system when `write` returns.

    Not safe for two threads at once.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """

    def __init__(self, path: str | Path, *, began_ns: int, began_unix_ns: int, server: str = "") -> None:
        arrow.arrow()  # before an older recording is overwritten
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.records = 0
        self._told: dict[str, Any] = {}
        self._file = self.path.open("wb", buffering=_BUFFER)
        header = {"format": FORMAT, "version": VERSION, "server": server}
        header |= {"began_ns": began_ns, "began_unix_ns": began_unix_ns}
        self._stream = arrow.open_stream(self._file, header)
        arrow.write_batch(self._stream, np.empty(0, EVENT_DTYPE), {})  # the header goes with the first batch
        self._file.flush()

    @property
    def byte_size(self) -> int:
        """Bytes written so far."""
        return self._file.tell() if not self._file.closed else self.path.stat().st_size

    def write(self, records: Records, snapshot: Snapshot) -> None:
        """Appends records; of the snapshot only what changed."""
        arrow.write_batch(self._stream, records, self._news(snapshot))
        self._file.flush()
        self.records += len(records)

    def close(self) -> None:
        """Ends the stream; a second call does nothing."""
        if not self._file.closed:
            self._stream.close()
            self._file.close()

    def _news(self, snapshot: Snapshot) -> dict[str, Any]:
        names = {"models": snapshot.names.models, "pools": snapshot.names.pools}
        lasting = {"names": names, "models": snapshot.models, "pools": snapshot.pools}
        lasting |= {"blocks": packed(snapshot.blocks), "tensors": list(snapshot.tensors)}
        changed = {name: value for name, value in lasting.items() if self._told.get(name) != value}
        self._told |= changed
        stamps = {"now_ns": snapshot.now_ns, "next_since": snapshot.next_since, "dropped": snapshot.dropped}
        levels = {
            str(number): {str(level): length for level, length in lengths.items()}
            for number, lengths in snapshot.queue_levels.items()
        }
        queues = {str(number): length for number, length in snapshot.queues.items()}
        return stamps | changed | {"queues": queues} | ({"queue_levels": levels} if levels else {})


def _checked(header: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    if header.get("format") != FORMAT:
        raise arrow.not_a_recording(path, f"its format is {header.get('format')!r}")
    if header["version"] not in READABLE:
        message = (
            f"{str(path)!r} is a recording of version {header['version']}; version {VERSION} and older can be read here"
        )
        raise InvalidArgumentError(message)
    return header


def _snapshot(state: Mapping[str, Any], before: Snapshot) -> Snapshot:
    names = before.names
    if "names" in state:
        models = tuple((str(name), int(version)) for name, version in state["names"]["models"])
        names = EventNames(models=models, pools=tuple(map(str, state["names"]["pools"])))
    return Snapshot(
        now_ns=int(state["now_ns"]),
        next_since=int(state["next_since"]),
        dropped=int(state["dropped"]),
        names=names,
        models=tuple(state.get("models", before.models)),
        pools=tuple(state.get("pools", before.pools)),
        queues={int(number): int(length) for number, length in state.get("queues", {}).items()},
        queue_levels={
            int(number): {int(level): int(length) for level, length in lengths.items()}
            for number, lengths in state.get("queue_levels", {}).items()
        },
        blocks=unpacked(state["blocks"]) if "blocks" in state else before.blocks,
        tensors=tuple(map(str, state["tensors"])) if "tensors" in state else before.tensors,
    )


def _flags(bits: int) -> str:
    """Such as "start end"; empty in the middle of a sequence."""
    return " ".join(flag.name.lower() for flag in SequenceFlag if flag & bits and flag.name)


def _word(kind: type[EventKind | StatusCode | BatchReason], number: int) -> str:
    try:
        return kind(number).name.lower()
    except ValueError:
        return str(number)
