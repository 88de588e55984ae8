# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Tries backends in a child process before this process opens them, and remembers the verdicts.

A crash then is a PreflightError that names stage, signal and line of the cell, and not a dead kernel.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from workbench.build import addresses, registry, sanitizers
from workbench.build.cache import default_folder
from workbench.build.installation import core_library, preflight_helper
from workbench.build.library import Library
from workbench.build.report import Frame, Verdict
from workbench.build.trial import ModelTrial, run_trial
from workbench.errors import PreflightError

LIBRARY_TIMEOUT_S: float = 10.0
MODEL_TIMEOUT_S: float = 60.0
"""Seconds after which a trial counts as hanging; a model may have much to load."""

_LASTING: Final = frozenset({"ok", "signal", "exception", "exit", "vanished"})
"""Endings that the same object would have again. A timeout may be the machine's fault, an error the world's."""

_KEPT_VERDICTS: Final = 2000
_ENTRY_POINTS: Final[Mapping[str, str]] = {
    "dlopen": "while it was opened (static initializers run then)",
    "Initialize": "in TRITONBACKEND_Initialize",
    "ModelInitialize": "in TRITONBACKEND_ModelInitialize",
    "ModelInstanceInitialize": "in TRITONBACKEND_ModelInstanceInitialize",
    "Execute": "in TRITONBACKEND_ModelInstanceExecute, which was given zeros",
    "Finalize": "in one of its Finalize functions",
}


def try_library(
    library: Library,
    *,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Try whether a backend opens, has what a server needs, initializes and ends.

    Args:
        library: what was built.
        environment: further variables for the child.

    Raises:
        PreflightError: it does not.
    """
    verdict = _remembered(library.path, library.name, None, LIBRARY_TIMEOUT_S, environment or {})
    _judge(verdict, library.path, library.name, library.file_name, library.first_line)


def try_model(library_path: str | Path, *, model_config_json: str, version: int, folder: str | Path) -> None:
    """Try whether a backend survives a model: its initialization, an instance's, an inference of zeros, and its end.

    Args:
        library_path: the backend's shared object.
        model_config_json: the completed configuration.
        version: the model's version.
        folder: the model's folder.

    Raises:
        PreflightError: it does not.
    """
    path = Path(library_path)
    name = path.name.split(".")[0].removeprefix("libtriton_")
    trial = ModelTrial(model_config_json, version, str(folder))
    library = registry.built(name)
    if library is None or library.path != path:
        return _judge(_remembered(path, name, trial, MODEL_TIMEOUT_S, {}), path, name, f"{name}.cc", 1)
    objects: dict[Path, Mapping[str, str]] = {path: {}}
    if library.sanitized_path is not None:
        objects[library.sanitized_path] = library.sanitized_environment
    for tried, environment in objects.items():
        verdict = _remembered(tried, name, trial, MODEL_TIMEOUT_S, environment)
        _judge(verdict, tried, name, library.file_name, library.first_line)
    return None


def _remembered(
    library: Path, name: str, model: ModelTrial | None, timeout_s: float, environment: Mapping[str, str]
) -> Verdict:
    kept = default_folder() / "verdicts" / f"{_question(library, model, environment)}.json"
    known = _read(kept)
    if known is not None:
        return known
    verdict = run_trial(library, name=name, model=model, timeout_s=timeout_s, environment=environment)
    if verdict.ending in _LASTING:
        _keep(kept, verdict)
    return verdict


def _question(library: Path, model: ModelTrial | None, environment: Mapping[str, str]) -> str:
    files = [_identity(path) for path in (library, core_library(), preflight_helper())]
    about = (asdict(model), _fingerprint(Path(model.folder))) if model is not None else ()
    return hashlib.sha256(json.dumps([files, about, sorted(environment)]).encode()).hexdigest()[:32]


def _identity(path: Path) -> tuple[str, int, int]:
    status = path.stat()
    return str(path), status.st_size, status.st_mtime_ns


def _fingerprint(folder: Path) -> str:
    """Changes whenever a file of the model does: a verdict holds for these files alone."""
    entries = sorted(_identity(path) for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256(json.dumps(entries).encode()).hexdigest()


def _read(path: Path) -> Verdict | None:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        return Verdict(**{**fields, "frames": tuple(Frame(**frame) for frame in fields["frames"])})
    except (OSError, ValueError, TypeError, KeyError):  # absent, cut short, or of another version
        return None


def _keep(path: Path, verdict: Verdict) -> None:
    """A verdict that cannot be kept is found again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(asdict(verdict)), encoding="utf-8")
        aside.replace(path)
        _forget_oldest(path.parent)
    except OSError:
        return


def _forget_oldest(folder: Path) -> None:
    kept = list(folder.iterdir())
    if len(kept) > _KEPT_VERDICTS:
        for path in sorted(kept, key=lambda path: path.stat().st_mtime)[: _KEPT_VERDICTS // 10]:
            path.unlink(missing_ok=True)


def _judge(verdict: Verdict, library: Path, name: str, file_name: str, first_line: int) -> None:
    if verdict.ending == "ok":
        return
    offsets = [frame.offset for frame in verdict.frames if Path(frame.path).name == library.name]
    trace = addresses.places(library, offsets)
    line = addresses.first_line_in(trace, file_name) or sanitizers.line_in(verdict.output, file_name)
    shown = [f"    {place}" for place in addresses.of_the_author(trace)]
    raise PreflightError(
        f"backend {name!r} was tried in a child process and {_what(verdict)}",
        stage=verdict.stage,
        signal=verdict.signal,
        cell_line=line + first_line - 1 if line else 0,
        report="\n".join((*shown, *verdict.output.splitlines())),
    )


def _what(verdict: Verdict) -> str:
    where = _ENTRY_POINTS.get(verdict.stage, f"at the step {verdict.stage!r}")
    if found := sanitizers.finding(verdict.output):
        return f"failed a check {where}: {found}"
    if verdict.ending == "error":
        return f"failed {where}: {verdict.message} ({verdict.code})"
    return {
        "exception": f"let an exception escape {where}: {verdict.message}",
        "signal": f"crashed {where}: {_signal_name(verdict.signal)}",
        "exit": f"called exit() {where}",
        "timeout": f"did not end {where}",
    }.get(verdict.ending, f"ended the process {where} ({verdict.message})")


def _signal_name(number: int) -> str:
    try:
        return f"{signal.strsignal(number)} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"
