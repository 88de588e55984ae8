# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a backend left behind that brought a kernel down while it executed (native/src/engine/crash_report.cc)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from workbench.build.addresses import Place, of_the_author, places
from workbench.build.cache import default_folder

_SUFFIX: Final = ".crash"


@dataclass(frozen=True, slots=True)
class CrashReport:
    """A crash of a backend in an earlier process.

    Attributes:
        signal: the signal's name, such as SIGSEGV.
        backend: the backend's name; `library` is its shared object.
        model: the model that executed, as `name vN`; `instance` is the instance's name.
        request_ids: ids of the requests in the batch, "" for those without; at most 16 are told.
        request_count: how many requests the batch had.
        trace: places of the backend on the stack, innermost first.
    """

    signal: str
    backend: str
    library: Path
    model: str
    instance: str
    request_ids: tuple[str, ...]
    request_count: int
    trace: tuple[Place, ...]

    def __str__(self) -> str:
        named = ", ".join(filter(None, self.request_ids))
        where = f", {self.trace[0]}" if self.trace else ""
        return (
            f"backend {self.backend!r} ended the last kernel by {self.signal}{where}: it executed a batch of "
            f"{self.request_count} for {self.model} on {self.instance}{f' ({named})' if named else ''}"
        )

    def _repr_html_(self) -> str:
        lines = "".join(f"<li><code>{escape(str(place))}</code></li>" for place in self.trace)
        return f"<b>{escape(str(self))}</b><ol>{lines}</ol><small>{escape(str(self.library))}</small>"


def watch_for_crashes() -> None:
    """From now on a crash inside a backend's execution leaves a report."""
    from workbench import _native

    folder = _folder()
    with suppress(OSError):  # without a place for it there is no report, and all else works
        folder.mkdir(parents=True, exist_ok=True)
        _native.install_crash_report(str(folder / f"{os.getpid()}{_SUFFIX}"))


def take_crash_reports() -> tuple[CrashReport, ...]:
    """The reports that earlier processes left, oldest first; each is given once."""
    return tuple(report for path in _left_behind() if (report := _take(path)) is not None)


def _folder() -> Path:
    return default_folder() / "crashes"


def _left_behind() -> Iterator[Path]:
    found = sorted(_folder().glob(f"*{_SUFFIX}"), key=lambda path: path.stat().st_mtime)
    return (path for path in found if not _is_alive(path.stem))


def _is_alive(pid: str) -> bool:
    return pid.isdigit() and Path("/proc", pid).exists()


def _take(path: Path) -> CrashReport | None:
    try:
        lines = path.read_text(errors="replace").splitlines()
        path.unlink()
    except OSError:  # another process took it
        return None
    words: dict[str, list[str]] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        words.setdefault(word, []).append(rest)
    return _report(words) if "library" in words else None


def _report(words: dict[str, list[str]]) -> CrashReport:
    def first(word: str) -> str:
        return words.get(word, [""])[0]

    library = first("library")
    offsets = [
        offset for offset, _, path in (frame.partition(" ") for frame in words.get("frame", [])) if path == library
    ]
    return CrashReport(
        signal=_signal_name(first("signal")),
        backend=first("backend"),
        library=Path(library),
        model=f"{first('model')} v{first('version')}",
        instance=first("instance"),
        request_ids=tuple(words.get("request", [])),
        request_count=int(first("requests") or 0),
        trace=of_the_author(places(Path(library), offsets)),
    )


def _signal_name(number: str) -> str:
    try:
        return signal.Signals(int(number)).name
    except ValueError:
        return f"signal {number}"
