# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The same load on a model here and in the real server, over the same protocol: predicted, here, there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workbench.display import ShownAsText
from workbench.export.record import ExportRecord, Figures, read_record
from workbench.load import RemoteModel, Workload, drive
from workbench.server import Server
from workbench.sweep import Point

_REPEATS: Final = 2


@dataclass(frozen=True, slots=True)
class SideBySide(ShownAsText):
    """Figures of one model under one load; each is None where it is not known.

    Args:
        model: its name.
        workload: the load.
        predicted: by the simulation, before the export.
        swept: measured in the sweep, inside the process.
        here, there: measured now, over HTTP: in a core of our own, and in the real server.
    """

    model: str
    workload: Workload
    predicted: Figures | None
    swept: Figures | None
    here: Figures | None
    there: Figures | None

    def lines(self) -> Iterator[tuple[str, Figures]]:
        """Those that are known, with their names."""
        names = {
            "predicted": self.predicted,
            "in the sweep": self.swept,
            "here, HTTP": self.here,
            "there, HTTP": self.there,
        }
        yield from ((name, figures) for name, figures in names.items() if figures is not None)

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        lines = {name.replace(", ", "_").replace(" ", "_").lower(): figures.facts() for name, figures in self.lines()}
        return {"model": self.model, "workload": str(self.workload), **lines}

    def __str__(self) -> str:
        rows = [f"  {name:13} {figures}" for name, figures in self.lines()]
        return "\n".join((f"{self.model}: {self.workload}", *rows))


def record_or(folder: Path, workload: Workload | None) -> tuple[Workload | None, ExportRecord | None]:
    """The load to measure a model with: the given one, or the one it was exported with."""
    record = read_record(folder)
    if workload is not None:
        return workload, record if record is not None and record.workload == workload else None
    return (record.workload, record) if record is not None else (None, None)


def driven_here(folder: Path, model: str, workload: Workload) -> Figures:
    """A server of our own behind its HTTP door."""
    with Server(folder, name=f"verify {folder.name}") as server:
        server.load(model)
        with server.http(port=0) as door:
            return driven(f"http://127.0.0.1:{door.port}", model, workload)


def driven(url: str, model: str, workload: Workload) -> Figures:
    """Any server that speaks the protocol, over HTTP."""
    return Figures.of(Point.of(drive(RemoteModel(url, model), workload=workload, repeats=_REPEATS)))
