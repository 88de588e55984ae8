# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Names of models that lie in several repositories of a server with namespaces: `<repository>::<model>`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from workbench.config import ModelConfig

SEPARATOR: Final = "::"


def full_name(repository: Path, name: str) -> str:
    """The name of a model of one repository."""
    return f"{repository}{SEPARATOR}{name}"


def plain_name_of(name: str) -> str:
    """The name that a model's folder bears."""
    return name.rpartition(SEPARATOR)[2]


def use_full_names(
    config: ModelConfig, *, name: str, repository: Path, names_of: Callable[[str], tuple[str, ...]]
) -> None:
    """Let a configuration call its model, and those of its steps, by the names that they are served under.

    A step means the model of its own repository, where that has one of the name.

    Args:
        config: the configuration, which is changed.
        name: what its model is served under.
        repository: the folder that the model lies in.
        names_of: the full names of the models that a plain name may mean.
    """
    if config.name == plain_name_of(name):
        config.name = name
    for step in config.ensemble_scheduling.step:
        own = full_name(repository, step.model_name)
        if own in names_of(step.model_name):
            step.model_name = own
