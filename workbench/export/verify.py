# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Tries an exported repository: in a core of our own, and in the real server where that can be had."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig, parse_config
from workbench.display import ShownAsText, Table
from workbench.errors import NotFoundError, UnavailableError, WorkbenchError
from workbench.export.peer import real_server
from workbench.export.record import ExportRecord, Figures
from workbench.export.side_by_side import SideBySide, driven, driven_here, record_or
from workbench.load import Workload, synthetic_inputs
from workbench.server import Server

_SEEDS: Final = (1, 2, 3)
_INFER_TIMEOUT_S: Final = 30.0
_COLUMNS: Final = ("model", "requests", "our core", "the real server")

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """One model of the repository.

    Args:
        model: its name.
        requests: how many were sent to both servers.
        ours: what our core did: "answers", or what went wrong.
        real: what the real server did: "answers the same", "not tried: why", or what differs.
    """

    model: str
    requests: int
    ours: str
    real: str


@dataclass(frozen=True, slots=True)
class Verification(ShownAsText):
    """What came of trying a repository."""

    folder: Path
    models: tuple[ModelVerdict, ...]
    figures: tuple[SideBySide, ...] = ()

    @property
    def is_verified(self) -> bool:
        """Every model answered in both servers, and the same."""
        return all((m.ours, m.real) == ("answers", "answers the same") for m in self.models)

    @property
    def has_failed(self) -> bool:
        """Something went wrong; a real server that can not be had is no failure."""
        return any(m.ours != "answers" or not m.real.startswith(("answers the same", "not tried")) for m in self.models)

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        models = [{"model": m.model, "requests": m.requests, "ours": m.ours, "real": m.real} for m in self.models]
        verdict = {"verified": self.is_verified, "failed": self.has_failed}
        return {**verdict, "models": models, "figures": [figures.facts() for figures in self.figures]}

    def table(self) -> Table:
        """One model a row."""
        rows = tuple((m.model, str(m.requests), m.ours, m.real) for m in self.models)
        return Table(_COLUMNS, rows, str(self.folder))

    def __str__(self) -> str:
        verdicts = [f"{m.model}: our core {m.ours}; the real server: {m.real}" for m in self.models]
        return "\n".join((*verdicts, *map(str, self.figures)))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(m.model)}</td><td>{m.requests}</td><td>{escape(m.ours)}</td><td>{escape(m.real)}</td></tr>"
            for m in self.models
        )
        head = f"<tr>{''.join(f'<th>{column}</th>' for column in _COLUMNS)}</tr>"
        table = f"<table><caption><code>{escape(str(self.folder))}</code></caption>{head}{rows}</table>"
        return table + "".join(map(_figures_html, self.figures))


def verify(
    folder: str | Path, *, download: bool = False, measure: bool = False, workload: Workload | None = None
) -> Verification:
    """Loads every model of a repository in a core of our own and in the real Triton, and compares their answers.

    Args:
        folder: a model repository, such as `export` writes.
        download: fetch the real server's wheel (53 MB) where it is not in the user's cache.
        measure: also measure both with the same load, over HTTP, each model by itself.
        workload: that load; None for the one that each model was exported with.

    Raises:
        NotFoundError: there is no model in the folder.
    """
    folder = Path(folder).expanduser().resolve()
    configs = {path.parent.name: parse_config(path.read_text()) for path in sorted(folder.glob("*/config.pbtxt"))}
    if not configs:
        raise NotFoundError(f"{folder} holds no model: <model>/config.pbtxt")
    ours = {name: _our_answers(folder, name, config) for name, config in configs.items()}
    loads = {name: record_or(folder / name, workload) for name in configs} if measure else {}
    theirs, there = _their_answers(folder, configs, {n: load for n, (load, _) in loads.items()}, download=download)
    verdicts = tuple(_verdict(name, ours[name], theirs[name]) for name in configs)
    figures = tuple(_measured(folder, name, *loads[name], there) for name in loads)
    return Verification(folder, verdicts, tuple(one for one in figures if one is not None))


def _measured(
    folder: Path, name: str, workload: Workload | None, record: ExportRecord | None, there: Mapping[str, Figures]
) -> SideBySide | None:
    if workload is None:
        return None
    predicted, swept = (record.predicted, record.measured) if record is not None else (None, None)
    return SideBySide(name, workload, predicted, swept, driven_here(folder, name, workload), there.get(name))


def _figures_html(figures: SideBySide) -> str:
    rows = "".join(f"<tr><td>{name}</td><td>{escape(str(line))}</td></tr>" for name, line in figures.lines())
    return f"<table><caption>{escape(figures.model)}, {escape(str(figures.workload))}</caption>{rows}</table>"


def _verdict(model: str, ours: Sequence[Arrays] | str, theirs: Sequence[Arrays] | str) -> ModelVerdict:
    if isinstance(ours, str):
        return ModelVerdict(model, 0, ours, theirs if isinstance(theirs, str) else "answers")
    if isinstance(theirs, str):
        return ModelVerdict(model, len(ours), "answers", theirs)
    differences = [text for pair in zip(ours, theirs, strict=True) if (text := difference(*pair))]
    return ModelVerdict(model, len(ours), "answers", differences[0] if differences else "answers the same")


def difference(ours: Arrays, theirs: Arrays) -> str:
    """What differs between two answers; nothing is the empty text."""
    if ours.keys() != theirs.keys():
        return f"other outputs: {sorted(theirs)} instead of {sorted(ours)}"
    for name, array in ours.items():
        other = theirs[name]
        if array.shape != other.shape:
            return f"{name}: shape {list(other.shape)} instead of {list(array.shape)}"
        if not np.array_equal(array, other, equal_nan=array.dtype.kind == "f"):
            return f"{name}: other values"
    return ""


def _requests(config: ModelConfig) -> list[Arrays]:
    rows = max(1, min(3, config.max_batch_size))
    return [synthetic_inputs(config, rows=rows, seed=seed) for seed in _SEEDS]


def _our_answers(folder: Path, name: str, config: ModelConfig) -> Sequence[Arrays] | str:
    try:
        with Server(folder, name=f"verify {folder.name}") as server:
            model = server.load(name)
            replies = [model.infer(inputs) for inputs in _requests(config)]
            return [{output: np.array(reply[output]) for output in reply} for reply in replies]
    except WorkbenchError as error:
        return f"fails: {error}"


def _their_answers(
    folder: Path, configs: Mapping[str, ModelConfig], loads: Mapping[str, Workload | None], *, download: bool
) -> tuple[Mapping[str, Sequence[Arrays] | str], Mapping[str, Figures]]:
    try:
        with real_server(folder, download=download) as peer:
            answers = {name: _asked(peer.grpc_address, name, config) for name, config in configs.items()}
            loaded = {name: load for name, load in loads.items() if load and not isinstance(answers[name], str)}
            return answers, {name: driven(peer.http_url, name, load) for name, load in loaded.items()}
    except UnavailableError as error:
        return dict.fromkeys(configs, f"not tried: {error}"), {}


def _asked(address: str, name: str, config: ModelConfig) -> Sequence[Arrays] | str:
    from tritonclient import grpc
    from tritonclient.utils import InferenceServerException

    with contextlib.closing(grpc.InferenceServerClient(address)) as client:
        try:
            return [_infer(grpc, client, name, inputs) for inputs in _requests(config)]
        except InferenceServerException as error:
            return f"fails: {error.message()}"


def _infer(grpc: Any, client: Any, name: str, inputs: Arrays) -> Arrays:
    from workbench.tensors import to_wire

    tensors = []
    for tensor_name, array in inputs.items():
        datatype, shape, _ = to_wire(array)
        tensor = grpc.InferInput(tensor_name, list(shape), datatype)
        tensor.set_data_from_numpy(array)
        tensors.append(tensor)
    result = client.infer(name, tensors, client_timeout=_INFER_TIMEOUT_S)
    outputs = [output.name for output in result.get_response().outputs]
    return {output: result.as_numpy(output) for output in outputs}
