# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings: event columns kept in one file, a compressed numpy archive with a header."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.events.event import EVENT_DTYPE, Records
from workbench.events.stream import RECORD_FIELDS, EventColumns, EventNames

FORMAT: Final = "workbench recording"
VERSION: Final = 1


def save(columns: EventColumns, path: str | Path) -> Path:
    """Writes the columns to a file, by custom one that ends in `.wbr`; an older one is replaced once all is written.

    Returns:
        The path.
    """
    path = Path(path)
    unfinished = path.with_name(f"{path.name}.part")
    arrays = {name: getattr(columns, name) for name in RECORD_FIELDS}
    with unfinished.open("wb") as file:
        np.savez_compressed(file, header=_header_bytes(columns), **arrays)
    unfinished.replace(path)
    return path


def replay(path: str | Path) -> EventColumns:
    """Reads a recording back, exactly as it was saved.

    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: the file is no recording, or one of a version that is not known here.
    """
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            header = _read_header(archive, path)
            arrays = {name: _read_records(archive, name, path) for name in RECORD_FIELDS}
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no recording {str(path)!r}") from error
    except (zipfile.BadZipFile, ValueError, EOFError, KeyError, TypeError) as error:
        raise _not_a_recording(path, str(error)) from error
    names = EventNames(
        models=tuple((str(name), int(version)) for name, version in header["models"]),
        pools=tuple(map(str, header["pools"])),
    )
    return EventColumns(**arrays, next_since=header["next_since"], dropped=header["dropped"], names=names)


def _header_bytes(columns: EventColumns) -> np.ndarray[Any, np.dtype[np.uint8]]:
    header = {
        "format": FORMAT,
        "version": VERSION,
        "next_since": columns.next_since,
        "dropped": columns.dropped,
        "models": columns.names.models,
        "pools": columns.names.pools,
    }
    return np.frombuffer(json.dumps(header).encode(), np.uint8)


def _read_header(archive: Any, path: str | Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(archive["header"].tobytes())
    if header["format"] != FORMAT:
        raise _not_a_recording(path, f"its format is {header['format']!r}")
    if header["version"] != VERSION:
        message = f"{str(path)!r} is a recording of version {header['version']}; version {VERSION} can be read here"
        raise InvalidArgumentError(message)
    return header


def _read_records(archive: Any, name: str, path: str | Path) -> Records:
    records: Records = archive[name]
    if records.dtype != EVENT_DTYPE:
        raise _not_a_recording(path, f"its {name} are no event records")
    return records


def _not_a_recording(path: str | Path, reason: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"{str(path)!r} is no recording of workbench: {reason}")
