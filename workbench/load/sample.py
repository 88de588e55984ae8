# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a run may send: samples, and the mix of them."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Several
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig
from workbench.errors import InvalidArgumentError
from workbench.load.input_data import read_input_data
from workbench.load.inputs import synthetic_inputs
from workbench.load.plan import Sequences, draw_plan


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One request that a run sends again and again.

    Args:
        inputs: arrays by input name, with the batch dimension; None for arrays made from the configuration.
        weight: how often, relative to the other samples; where all are alike the samples take turns.
        model: another model of the same server than the one that is driven; None for that one.
        priority: 1 is the highest; 0 the model's default.
        timeout_s: how long it may wait in the queue, where the model allows that; None for the model's default.
        parameters: handed on to the backend.
    """

    inputs: Mapping[str, Any] | None = None
    weight: float = 1.0
    model: Any = None
    priority: int = 0
    timeout_s: float | None = None
    parameters: Mapping[str, bool | int | float | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.weight > 0:
            raise InvalidArgumentError(f"a sample's weight is a positive number, not {self.weight}")

    @property
    def timeout_us(self) -> int:
        """As the protocol has it; 0 for none."""
        return 0 if self.timeout_s is None else max(1, round(self.timeout_s * 1e6))


Inputs: TypeAlias = Mapping[str, Any] | Sample | Several[Mapping[str, Any] | Sample] | str | Path | None
"""Arrays by name, a sample, several of them, a file in perf_analyzer's JSON format, or None for made arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class Mix:
    """What a run sends: samples, in turn or by weight, and the sequences that they belong to.

    Args:
        samples: at least one.
        sequences: None where requests stand alone.
        streams: samples by number that make up a sequence, one after the other; the sequences take the streams in
            turn. Empty: sequences draw from all samples.
        seed: of weights, sequence lengths and made inputs.
    """

    samples: tuple[Sample, ...] = (Sample(),)
    sequences: Sequences | None = None
    streams: tuple[tuple[int, ...], ...] = ()
    seed: int = 1

    def plan(self, count: int) -> NDArray[Any]:
        """What each of `count` requests is, drawn with the seed."""
        weights = np.array([sample.weight for sample in self.samples])
        return draw_plan(weights, self.sequences, self.streams, count=count, seed=self.seed)


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """How made inputs look.

    Args:
        rows: the batch dimension.
        dims: by input name, the shape without the batch dimension, where the configuration leaves it open.
    """

    rows: int = 1
    dims: Mapping[str, Several[int]] = field(default_factory=dict)

    def fill(self, sample: Sample, config: ModelConfig, seed: int) -> Mapping[str, Any]:
        """The sample's inputs, made where it has none."""
        if sample.inputs is not None:
            return sample.inputs
        return synthetic_inputs(config, rows=self.rows, seed=seed, dims=self.dims)


PLAIN: Final = Sample()
AS_DECLARED: Final = Shapes()


def mix_of(inputs: Inputs, config: ModelConfig, *, like: Sample, sequences: Sequences | None, seed: int) -> Mix:
    """What `inputs` stands for; plain arrays get priority, timeout and parameters of `like`.

    Raises:
        InvalidArgumentError: there is nothing to send, or a file that does not fit the model.
        NotFoundError: there is no such file.
    """
    if isinstance(inputs, str | Path):
        data = read_input_data(inputs, config)
        samples = tuple(replace(like, inputs=arrays) for arrays in data.samples)
        return Mix(samples, sequences, data.streams if sequences else (), seed)
    several = [inputs] if inputs is None or isinstance(inputs, Mapping | Sample) else list(inputs)
    if not several:
        raise InvalidArgumentError("there is no sample to send")
    samples = tuple(one if isinstance(one, Sample) else replace(like, inputs=one) for one in several)
    return Mix(samples, sequences, seed=seed)
