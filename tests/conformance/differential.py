# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A case for two servers, and what differs in what they make of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from tests.conformance.both_servers import Answer, Ours, add_model
from tests.conformance.generated import Sent
from tests.conformance.real_server import Real

Difference: TypeAlias = tuple[str, Any, Any]
"""What it is, ours, theirs."""
Loosen: TypeAlias = Callable[[Answer], Answer]
PATIENCE_S = 2.0


@dataclass(frozen=True)
class Group:
    """Requests that are sent without waiting for answers.

    Attributes:
        is_ordered: they come in this order; else the answers are told apart by nothing but their priority.
    """

    requests: tuple[Sent, ...]
    is_ordered: bool = True


@dataclass(frozen=True)
class Case:
    """A model, and what is sent to it, group after group; a group of one waits for its answer.

    Attributes:
        texts: further models, by what is added to the case's name; loaded before, in order.
        versions: folders of the model's versions.
        files: in the model's folder.
        loosens: takes out of an answer what depends on who is faster.
        uncounted: counts that are not compared.
    """

    text: str
    groups: tuple[Group, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    versions: tuple[int, ...] = (1,)
    files: Mapping[str, bytes] = field(default_factory=dict)
    loosens: Loosen = lambda answer: answer
    uncounted: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.text


class Pair:
    """Both servers over one repository, to which every case adds a model of its own."""

    def __init__(self, repository: Path, ours: Ours, real: Real) -> None:
        self._repository = repository
        self._ours = ours
        self._real = real
        self._names = (f"m{number}" for number in itertools.count())

    def differences(self, case: Case) -> list[Difference]:
        """Everything that is not the same; nothing where the real server ended over it."""
        name = next(self._names)
        loaded = self._add(name, case)
        try:
            return list(self._compared(loaded, case))
        except ConnectionError:
            return []
        finally:
            for model in reversed(loaded):
                self._ours.unload(model)
                self._real.unload(model)

    def _add(self, name: str, case: Case) -> list[str]:
        models = {f"{name}{suffix}": text.replace("$", name) for suffix, text in case.texts.items()}
        for each, text in models.items():
            add_model(self._repository, each, text)
        add_model(self._repository, name, case.text.replace("$", name), case.versions)
        for path, content in case.files.items():
            (self._repository / name / path).parent.mkdir(exist_ok=True)
            (self._repository / name / path).write_bytes(content)
        return [*models, name]

    def _compared(self, models: Sequence[str], case: Case) -> Iterator[Difference]:
        for model in models:
            theirs, ours = self._real.load(model), self._ours.load(model)
            if ours[0] != theirs[0]:
                yield ("load", ours, theirs)
                return
            if ours[0] != 200:
                return
        yield from self._served(models[-1], case)

    def _served(self, name: str, case: Case) -> Iterator[Difference]:
        pairs: list[Difference] = []
        pairs.append(("config", comparable(self._ours.config(name)), comparable(self._real.config(name))))
        pairs.append(("index", self._ours.index(name), self._real.index(name)))
        for number, group in enumerate(case.groups):
            told = f"group {number}: {group}"
            pairs.append((told, answers(self._ours, name, group, case), answers(self._real, name, group, case)))
        pairs.append(self._counts(name, case))
        yield from (pair for pair in pairs if pair[1] != pair[2])

    def _counts(self, name: str, case: Case) -> Difference:
        """Looks until they are the same, or time is up: backends report after they have answered."""
        end = monotonic() + PATIENCE_S
        while (found := self._counted(name, case))[1] != found[2] and monotonic() < end:
            pass
        return found

    def _counted(self, name: str, case: Case) -> Difference:
        ours, theirs = (
            {
                version: {key: value for key, value in found.items() if key not in case.uncounted}
                for version, found in server.counts(name).items()
            }
            for server in (self._ours, self._real)
        )
        return ("counts", ours, theirs)


def answers(server: Ours | Real, name: str, group: Group, case: Case) -> Any:
    """What the requests of a group are answered, comparable between servers."""
    if len(group.requests) == 1:
        return case.loosens(server.infer(name, group.requests[0]))
    told = server.infer_all(name, group.requests, is_ordered=group.is_ordered)
    if not group.is_ordered:
        return sorted((sent.priority, each[0].code) for sent, each in zip(group.requests, told, strict=True))
    return [[case.loosens(without_code(answer)) for answer in each] for each in told]


def without_code(answer: Answer) -> Answer:
    """A stream of the real server tells that there is an error, not which."""
    return answer if answer.code == "OK" else Answer("ERROR", {})


def comparable(value: Any) -> Any:
    """The real server prints some 64-bit integers as strings, and lacks fields of newer releases."""
    if isinstance(value, dict):
        return {name: comparable(element) for name, element in value.items() if name != "max_inflight_requests"}
    if isinstance(value, list):
        return [comparable(element) for element in value]
    return int(value) if isinstance(value, str) and value.isdigit() else value
