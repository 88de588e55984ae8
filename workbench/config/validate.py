# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Judges a configuration by the server's rules; each rule is a small function in one of the tables of `rules_*`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from workbench.config import rules_ensemble, rules_model, rules_scheduling, rules_sequence, rules_tensors
from workbench.config.message import ModelConfig
from workbench.config.rule import Problem, Rule
from workbench.errors import ConfigError

FILE_RULES: Final[tuple[Rule, ...]] = (
    *rules_scheduling.RULES,
    *rules_sequence.RULES,
    *rules_ensemble.RULES,
    *rules_model.RULES,
    *rules_tensors.RULES,
)
"""What holds for any configuration, complete or not."""

COMPLETE_RULES: Final[tuple[Rule, ...]] = (
    *rules_model.COMPLETE_RULES,
    *rules_ensemble.COMPLETE_RULES,
    *rules_tensors.COMPLETE_RULES,
)
"""What holds once the configuration is completed."""


class Position(Protocol):
    """A place in a text, counted from 1."""

    @property
    def line(self) -> int:
        """The line."""

    @property
    def column(self) -> int:
        """The column."""


Locate = Callable[[str], Position | None]
"""From a field path to its place in the text; None when the text does not have it."""


def validate(config: ModelConfig, *, locate: Locate | None = None, source: str = "", gpu_count: int = 0) -> None:
    """Judges a completed configuration; raises ConfigError for the first problem, those of stage `read` first.

    Args:
        config: the configuration, completed.
        locate: tells the place of a field path, such as `Outline(text).locate`; without it errors have no line.
        source: name of the file or cell, for messages.
        gpu_count: number of GPUs of this machine.
    """
    problems = find_problems(config, gpu_count=gpu_count)
    if problems:
        raise as_error(problems[0], locate=locate, source=source)


def find_problems(config: ModelConfig, *, gpu_count: int = 0) -> tuple[Problem, ...]:
    """All problems of a completed configuration, those of stage `read` first."""
    found = [*broken_rules(config, (*FILE_RULES, *COMPLETE_RULES)), *rules_model.gpus_exist(config, gpu_count)]
    return tuple(sorted(found, key=lambda problem: problem.stage, reverse=True))


def broken_rules(config: ModelConfig, rules: Iterable[Rule]) -> tuple[Problem, ...]:
    """The problems that some rules find, those of stage `read` first."""
    found = [problem for rule in rules for problem in rule(config)]
    return tuple(sorted(found, key=lambda problem: problem.stage, reverse=True))


def as_error(
    problem: Problem, *, locate: Locate | None = None, source: str = "", first_line: int = 1, text: str = ""
) -> ConfigError:
    """The error that tells a problem, with its place where `locate` knows it."""
    place = locate(problem.path) if locate else None
    line, column = (place.line, place.column) if place else (0, 0)
    return ConfigError(
        f"{problem.path}: {problem.message}",
        line=line + first_line - 1 if line else 0,
        column=column,
        suggestion=problem.suggestion,
        path=problem.path,
        source=source,
        stage=problem.stage,
        excerpt=text.split("\n")[line - 1].rstrip("\r") if text and line else "",
    )
