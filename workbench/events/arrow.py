# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Event records as batches of an Arrow IPC stream: the one place that knows pyarrow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.errors import InvalidArgumentError, MissingExtraError, NotFoundError
from workbench.events.event import EVENT_DTYPE, Records

COLUMNS: Final = tuple(name for name in EVENT_DTYPE.names or () if name != "spare")
_HEADER: Final = b"workbench.recording"
_STATE: Final = b"workbench.state"

Header = dict[str, Any]
State = dict[str, Any]


def arrow() -> Any:
    """The module pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError as exc:
        raise MissingExtraError("a recording", extra="record") from exc
    return pa


def open_stream(file: IO[bytes], header: Mapping[str, Any]) -> Any:
    """A writer of an Arrow IPC stream of event records, whose schema bears the header."""
    pa = arrow()
    schema = _schema().with_metadata({_HEADER: json.dumps(header).encode()})
    return pa.ipc.new_stream(file, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))


def write_batch(writer: Any, records: Records, state: Mapping[str, Any]) -> None:
    """Appends records, and what was true when they were read."""
    pa = arrow()
    arrays = [pa.array(np.ascontiguousarray(records[name])) for name in COLUMNS]
    batch = pa.RecordBatch.from_arrays(arrays, schema=_schema())
    writer.write_batch(batch, custom_metadata={_STATE: json.dumps(state).encode()})


def _schema() -> Any:
    pa = arrow()
    return pa.schema([pa.field(name, pa.from_numpy_dtype(EVENT_DTYPE[name]), nullable=False) for name in COLUMNS])


def read_header(path: Path) -> Header:
    """What the schema of a recording says.

    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: it is no recording.
    """
    with _opened(path) as reader:
        return _header(reader, path)


def read_batches(path: Path) -> Iterator[tuple[NDArray[np.void], State]]:
    """The records of each batch and its state; ends quietly where the file breaks off.

    The last item is ([], {"is_complete": bool}), which says whether the stream came to its own end.
    """
    pa = arrow()
    with _opened(path) as reader:
        _header(reader, path)
        while True:
            try:
                batch, metadata = reader.read_next_batch_with_custom_metadata()
            except StopIteration:
                break
            except (pa.ArrowInvalid, OSError):
                yield np.empty(0, EVENT_DTYPE), {"is_complete": False}
                return
            yield _records(batch), json.loads(metadata[_STATE]) if metadata and _STATE in metadata else {}
    yield np.empty(0, EVENT_DTYPE), {"is_complete": _has_end(path)}


def _opened(path: Path) -> Any:
    pa = arrow()
    if not path.is_file():
        message = f"there is no recording {str(path)!r}"
        raise NotFoundError(message)
    if path.stat().st_size == 0:
        raise not_a_recording(path, "it is empty")
    try:
        return pa.ipc.open_stream(pa.memory_map(str(path)))
    except (pa.ArrowInvalid, OSError) as exc:
        raise not_a_recording(path, str(exc)) from exc


def _header(reader: Any, path: Path) -> Header:
    metadata = reader.schema.metadata or {}
    if _HEADER not in metadata or tuple(reader.schema.names) != COLUMNS:
        raise not_a_recording(path, "it is an Arrow stream of something else")
    header: Header = json.loads(metadata[_HEADER])
    return header


def _records(batch: Any) -> NDArray[np.void]:
    records = np.zeros(batch.num_rows, EVENT_DTYPE)
    for name in COLUMNS:
        records[name] = batch.column(name).to_numpy(zero_copy_only=False)
    return records


def _has_end(path: Path) -> bool:
    """A stream that was closed ends with a continuation mark and a length of nothing."""
    with path.open("rb") as file:
        file.seek(-8, 2)
        return file.read() == b"\xff\xff\xff\xff\x00\x00\x00\x00"


def not_a_recording(path: str | Path, reason: str) -> InvalidArgumentError:
    """The error that says why a file is none."""
    return InvalidArgumentError(f"{str(path)!r} is no recording of workbench: {reason}")
