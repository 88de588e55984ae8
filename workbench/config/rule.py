# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a rule of the configuration is, and the words that several of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from workbench.config.message import ModelConfig


@dataclass(frozen=True, slots=True)
class Problem:
    """One breach of a rule: the field, what is wrong with it, what would be right, and when the server would say so."""

    path: str
    message: str
    suggestion: str = ""
    stage: Literal["read", "load"] = "read"


Rule = Callable[[ModelConfig], Iterator[Problem]]


def is_ensemble(config: ModelConfig) -> bool:
    """True for a configuration that composes other models."""
    return config.platform == "ensemble" or config.HasField("ensemble_scheduling")


def size_problem(path: str, size: int, max_batch_size: int) -> Problem | None:
    """What is wrong with one preferred batch size."""
    if size < 1:
        return Problem(
            path, f"a preferred batch size is at least 1, not {size}", "leave it out, or name a size above 0"
        )
    if size <= max_batch_size:
        return None
    if max_batch_size < 1:
        return Problem(
            path,
            f"size {size} is preferred, but max_batch_size is 0: the model does not batch",
            f"set max_batch_size: {size} or more",
        )
    return Problem(
        path,
        f"preferred batch size {size} exceeds max_batch_size {max_batch_size}",
        f"prefer sizes up to {max_batch_size}, or raise max_batch_size",
    )
