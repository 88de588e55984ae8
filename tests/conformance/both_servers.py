# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server answers, in a form in which two can be compared; and ours behind the face that `Real` has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import workbench as wb
from tests.conformance.generated import Sent
from workbench.config import parse_config, to_json
from workbench.errors import WorkbenchError
from workbench.tensors import to_wire

HTTP_STATUS = {"INTERNAL": 500, "NOT_FOUND": 404, "UNAVAILABLE": 503, "UNSUPPORTED": 501}
"""Of the codes that are not 400."""


@dataclass(frozen=True)
class Answer:
    """What became of a request: a code, and the outputs as (type, shape, bytes)."""

    code: str
    outputs: Mapping[str, tuple[str, tuple[int, ...], bytes]]
    request_id: str = ""
    text: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """The wording is nobody's contract."""
        if not isinstance(other, Answer):
            return NotImplemented
        return self._contract == other._contract

    @property
    def _contract(self) -> tuple[Any, ...]:
        return self.code, self.outputs, self.request_id, self.parameters

    __hash__ = None  # type: ignore[assignment]


class Counts(dict[str, Any]):
    """The numbers of a model's statistics that do not depend on the clock."""


class Ours:
    """The server in this process."""

    def __init__(self, server: wb.Server) -> None:
        self._server = server

    def load(self, model: str) -> tuple[int, str]:
        try:
            self._server.load(model)
        except WorkbenchError as error:
            return HTTP_STATUS.get(error.wire_code, 400), str(error)
        return 200, ""

    def config(self, model: str) -> Any:
        return json.loads(to_json(parse_config(self._server.model(model).config)))

    def infer(self, model: str, sent: Sent) -> Answer:
        try:
            reply = self._server.model(model, version=sent.version).infer(sent.inputs, **_options(sent))
        except WorkbenchError as error:
            return Answer(error.code, {}, text=str(error))
        return _answer_of(reply, sent)

    def infer_all(self, model: str, group: Sequence[Sent], *, is_ordered: bool = True) -> list[list[Answer]]:
        """The answers to each of the requests, which are sent one after the other without waiting."""
        return [list(answers) for answers in [self._stream(model, sent) for sent in group]]

    def _stream(self, model: str, sent: Sent) -> Iterator[Answer]:
        """Sends at once; the answers come later."""
        try:
            replies = self._server.model(model, version=sent.version).stream(sent.inputs, **_options(sent))
        except WorkbenchError as error:
            return iter([Answer(error.code, {}, text=str(error))])
        return _answers_of(replies, sent)

    def index(self, model: str) -> list[tuple[str, str]]:
        return index_of(json.loads(self._server.describe("index")), model)

    def counts(self, model: str) -> dict[str, Counts]:
        return counts_of(json.loads(self._server.describe("model_statistics", model=model)))

    def unload(self, model: str) -> None:
        self._server.unload(model)


def _options(sent: Sent) -> dict[str, Any]:
    options: dict[str, Any] = {"request_id": sent.request_id, "priority": sent.priority}
    if sent.outputs:
        options["outputs"] = list(sent.outputs)
    if sent.timeout_us:
        options["timeout_s"] = sent.timeout_us / 1e6
    if sent.is_of_sequence:
        options["sequence"] = wb.Sequence(sent.sequence_id, start=sent.start, end=sent.end)
    return options


def _answer_of(reply: wb.server.Reply, sent: Sent) -> Answer:
    outputs = {name: flat(array) for name, array in reply.outputs.items()}
    return Answer("OK", outputs, sent.request_id, parameters=dict(reply.parameters))


def _answers_of(replies: Iterator[wb.server.Reply], sent: Sent) -> Iterator[Answer]:
    try:
        for reply in replies:
            yield _answer_of(reply, sent)
    except WorkbenchError as error:
        yield Answer(error.code, {}, text=str(error))


def counts_of(statistics: Mapping[str, Any]) -> dict[str, Counts]:
    """The counts of each version out of what either server tells as JSON."""
    return {found["version"]: _counts(found) for found in statistics["model_stats"]}


def _counts(found: Mapping[str, Any]) -> Counts:
    numbers = {name: duration["count"] for name, duration in found["inference_stats"].items()}
    batches = {entry["batch_size"]: entry["compute_infer"]["count"] for entry in found["batch_stats"]}
    return Counts(
        inference_count=found["inference_count"], execution_count=found["execution_count"], batches=batches, **numbers
    )


def index_of(entries: Sequence[Mapping[str, str]], model: str) -> list[tuple[str, str]]:
    """Version and state of each version of a model."""
    found = [entry for entry in entries if entry["name"] == model]
    return sorted((entry.get("version", ""), entry.get("state", "")) for entry in found)


def flat(array: np.ndarray[Any, Any]) -> tuple[str, tuple[int, ...], bytes]:
    datatype, shape, raw = to_wire(array)
    return datatype, shape, raw.tobytes() if isinstance(raw, np.ndarray) else bytes(raw)


def add_model(repository: Path, name: str, text: str, versions: Sequence[int] = (1,)) -> None:
    for version in versions:
        (repository / name / str(version)).mkdir(parents=True)
    (repository / name).mkdir(exist_ok=True)
    (repository / name / "config.pbtxt").write_text(text)
