# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a target sends, whatever the way there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from workbench.config import ModelConfig
from workbench.load.plan import Sequences
from workbench.load.sample import AS_DECLARED, PLAIN, Inputs, Mix, Sample, Shapes, mix_of


class Sent(TypedDict, total=False):
    """The arguments of a target.

    Args:
        inputs: what is sent, see `drive`.
        like: priority, timeout and parameters of plain arrays.
        sequences: of the requests; None where they stand alone.
        shapes: of made inputs.
        seed: of made inputs, weights and sequence lengths.
    """

    inputs: Inputs
    like: Sample
    sequences: Sequences | None
    shapes: Shapes
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Sending:
    """The same, with their defaults."""

    inputs: Inputs = None
    like: Sample = PLAIN
    sequences: Sequences | None = None
    shapes: Shapes = AS_DECLARED
    seed: int = 1

    def mix(self, config: ModelConfig) -> Mix:
        """The samples for a model."""
        return mix_of(self.inputs, config, like=self.like, sequences=self.sequences, seed=self.seed)
