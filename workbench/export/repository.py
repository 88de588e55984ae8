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

from workbench.build import built
from workbench.config import parse_config
from workbench.display import ShownAsText
from workbench.errors import AlreadyExistsError
from workbench.export.config import tuned_config_text
from workbench.export.pipeline import PIPELINE_FILE, docker_command, pipeline
from workbench.export.record import RECORD_FILE, record_of
from workbench.export.report import report
from workbench.server import current
from workbench.sweep import Study, Trial

CONFIG_FILE: Final = "config.pbtxt"
REPORT_FILE: Final = "REPORT.md"
SOURCE_SUFFIXES: Final = (".cc", ".cu")
_NOT_COPIED: Final = (CONFIG_FILE, REPORT_FILE, RECORD_FILE, "__pycache__")


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

    @property
    def docker_command(self) -> str:
        """The line that serves it in the real server's container."""
        return docker_command(self.folder, parse_config(self.config_path.read_text(encoding="utf-8")))

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        files = [str(file) for file in self.files]
        return {"folder": str(self.folder), "model": self.model, "files": files, "docker": self.docker_command}

    def __str__(self) -> str:
        return f"{self.folder}: {', '.join(map(str, self.files))}\n{self.docker_command}"

    def _repr_html_(self) -> str:
        files = "".join(f"<li>{escape(str(file))}</li>" for file in self.files)
        config = escape(self.config_path.read_text(encoding="utf-8"))
        docker = escape(self.docker_command)
        head = f"<p>model repository <code>{escape(str(self.folder))}</code></p><ul>{files}</ul><pre>{docker}</pre>"
        return f"{head}<pre>{config}</pre>"


def export(
    exported: Study | Trial | ExportableModel, folder: str | Path, *, model: ExportableModel | None = None
) -> ExportedRepository:
    """Writes a model repository: `<folder>/<model>/` with configuration, files, backend and report, and a pipeline.

    The configuration is the model's file with tuned values changed and commented, all else as it was. Where the backend
    was built in this process, its source is written beside it, and the pipeline (`check-models.yml`) builds it anew.

    The backend lies in the model's folder under the name that the real server looks for, so that
    `tritonserver --model-repository <folder>` needs nothing else.

    Args:
        exported: a trial, a study (its best trial), or a model as it is served.
        folder: the repository; made where it is not there. A model that was exported there before is replaced.
        model: the served model whose files are taken; None for that of the default server with the trial's name.

    Raises:
        NotFoundError: no server serves the model.
        AlreadyExistsError: something that is no model is in the way, or the model is served from there.
    """
    trial = exported.best if isinstance(exported, Study) else exported if isinstance(exported, Trial) else None
    if trial is not None:
        source = model or current().model(trial.model)
        study = exported if isinstance(exported, Study) else None
        text = tuned_config_text(trial, original=_original(source), study=study)
        record = record_of(trial, study)
    else:
        source = model or exported  # type: ignore[assignment]  # neither study nor trial: a model
        text, record = source.config, None
    folder = Path(folder).expanduser().resolve()
    _keep_what_is_served(folder / source.name, source)
    destination = _cleared(folder, source.name)
    _write(destination, source, text)
    if trial is not None:
        words = report(exported if isinstance(exported, Study) else trial)
        docker = docker_command(folder, parse_config(text))
        (destination / REPORT_FILE).write_text(f"{words}\nServe it: `{docker}`\n", encoding="utf-8")
    if record is not None:
        record.write(destination)
    (folder / PIPELINE_FILE).write_text(pipeline(_sources(folder)), encoding="utf-8")
    written = [path.relative_to(folder) for path in destination.rglob("*") if path.is_file()]
    return ExportedRepository(folder, source.name, (*sorted(written), Path(PIPELINE_FILE)))


def _original(source: ExportableModel) -> str:
    path = Path(source.spec.path) / CONFIG_FILE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _sources(folder: Path) -> dict[str, str]:
    """By model, the source of its backend, for those that have one beside their configuration."""
    found: dict[str, str] = {}
    for library in sorted(folder.glob("*/libtriton_*.so")):
        stem = library.stem.removeprefix("libtriton_")
        names = [f"{stem}{suffix}" for suffix in SOURCE_SUFFIXES if (library.parent / f"{stem}{suffix}").is_file()]
        if names:
            found[library.parent.name] = names[0]
    return found


def _keep_what_is_served(destination: Path, source: ExportableModel) -> None:
    if destination.exists() and destination.samefile(source.spec.path):
        message = (
            f"{destination} is the folder that {source.name!r} is served from, whose files an export would replace; "
            "export into another folder"
        )
        raise AlreadyExistsError(message)


def _cleared(folder: Path, name: str) -> Path:
    destination = folder / name
    if destination.exists():
        if not (destination / CONFIG_FILE).is_file():
            raise AlreadyExistsError(f"{destination} is in the way, and it is no model: it has no {CONFIG_FILE}")
        shutil.rmtree(destination)
    destination.mkdir(parents=True)
    return destination


def _write(destination: Path, source: ExportableModel, config_text: str) -> None:
    for path in _model_files(Path(source.spec.path)):
        if path.is_dir():
            shutil.copytree(path, destination / path.name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy2(path, destination / path.name)
    if not any(path.name.isdigit() for path in destination.iterdir()):
        (destination / "1").mkdir()
    (destination / CONFIG_FILE).write_text(config_text, encoding="utf-8")
    shutil.copy2(source.library, destination / f"libtriton_{source.spec.backend}.so")
    library = built(source.spec.backend)
    if library is not None and library.source and Path(library.path) == Path(source.library):
        suffix = SOURCE_SUFFIXES[library.language == "cuda"]
        (destination / f"{source.spec.backend}{suffix}").write_text(library.source, encoding="utf-8")


def _model_files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name not in _NOT_COPIED and not path.name.startswith("."):
            yield path
