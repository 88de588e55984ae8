# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a model, as it is or as a trial found it, as a model repository that the real server loads unchanged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final, Protocol

from workbench.errors import AlreadyExistsError
from workbench.export.config import tuned_config_text
from workbench.export.report import report
from workbench.load import ShownAsText
from workbench.server import current
from workbench.sweep import Study, Trial

CONFIG_FILE: Final = "config.pbtxt"
REPORT_FILE: Final = "REPORT.md"
_NOT_COPIED: Final = (CONFIG_FILE, REPORT_FILE, "__pycache__")


class ExportableModel(Protocol):
    """What an export needs of `workbench.server.Model`."""

    @property
    def name(self) -> str:
        """The model."""

    @property
    def config(self) -> str:
        """Text of the configuration that runs."""

    @property
    def spec(self) -> Any:
        """Its plain values: `path` is the model's folder, `backend` the backend's name."""

    @property
    def library(self) -> Path:
        """The backend's shared object."""


@dataclass(frozen=True, slots=True)
class ExportedRepository(ShownAsText):
    """A model repository that was written.

    Args:
        folder: the repository.
        model: its model's name.
        files: what was written, relative to the repository.
    """

    folder: Path
    model: str
    files: tuple[Path, ...]

    @property
    def config_path(self) -> Path:
        """The tuned configuration."""
        return self.folder / self.model / CONFIG_FILE

    def __str__(self) -> str:
        return f"{self.folder}: {', '.join(map(str, self.files))}"

    def _repr_html_(self) -> str:
        files = "".join(f"<li>{escape(str(file))}</li>" for file in self.files)
        config = escape(self.config_path.read_text(encoding="utf-8"))
        return f"<p>model repository <code>{escape(str(self.folder))}</code></p><ul>{files}</ul><pre>{config}</pre>"


def export(
    exported: Study | Trial | ExportableModel, folder: str | Path, *, model: ExportableModel | None = None
) -> ExportedRepository:
    """Writes a model repository: `<folder>/<model>/` with configuration, files, backend and report.

    The backend lies in the model's folder under the name that the real server looks for, so that
    `tritonserver --model-repository <folder>` needs nothing else.

    Args:
        exported: a trial, a study (its best trial), or a model as it is served.
        folder: the repository; made where it is not there. A model that was exported there before is replaced.
        model: the served model whose files are taken; None for that of the default server with the trial's name.

    Raises:
        NotFoundError: no server serves the model.
        AlreadyExistsError: something that is no model is in the way.
    """
    trial = exported.best if isinstance(exported, Study) else exported if isinstance(exported, Trial) else None
    if trial is not None:
        source = model or current().model(trial.model)
        text = tuned_config_text(trial)
        words = report(exported if isinstance(exported, Study) else trial)
    else:
        source = model or exported  # type: ignore[assignment]  # neither study nor trial: a model
        text, words = source.config, ""
    folder = Path(folder).expanduser().resolve()
    destination = _cleared(folder, source.name)
    _write(destination, source, text, words)
    files = tuple(sorted(path.relative_to(folder) for path in destination.rglob("*") if path.is_file()))
    return ExportedRepository(folder, source.name, files)


def _cleared(folder: Path, name: str) -> Path:
    destination = folder / name
    if destination.exists():
        if not (destination / CONFIG_FILE).is_file():
            raise AlreadyExistsError(f"{destination} is in the way, and it is no model: it has no {CONFIG_FILE}")
        shutil.rmtree(destination)
    destination.mkdir(parents=True)
    return destination


def _write(destination: Path, source: ExportableModel, config_text: str, words: str) -> None:
    for path in _model_files(Path(source.spec.path)):
        if path.is_dir():
            shutil.copytree(path, destination / path.name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy2(path, destination / path.name)
    if not any(path.name.isdigit() for path in destination.iterdir()):
        (destination / "1").mkdir()
    (destination / CONFIG_FILE).write_text(config_text, encoding="utf-8")
    shutil.copy2(source.library, destination / f"libtriton_{source.spec.backend}.so")
    if words:
        (destination / REPORT_FILE).write_text(words, encoding="utf-8")


def _model_files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name not in _NOT_COPIED and not path.name.startswith("."):
            yield path
