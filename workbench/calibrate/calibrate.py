# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how long executions take: of a model, or of all models of an ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.calibrate.bench import Calibratable, Extent, calibrate_model
from workbench.calibrate.ensemble import calibrate_ensemble
from workbench.config import is_ensemble, parse_config
from workbench.display import Report
from workbench.simulate import AnyCalibration


def calibrate(
    model: Calibratable,
    *,
    inputs: Mapping[str, Any] | None = None,
    max_batch_size: int = 0,
    instances: int = 0,
    budget_s: float = 10.0,
    seed: int = 1,
    progress: bool | Report = False,
) -> AnyCalibration:
    """Measures how long a model's executions take, about ten seconds for a model of 1 ms.

    The model is reconfigured meanwhile, and serves as before afterwards, also after a stop. Requests of others would
    spoil the figures. Medians: a machine that stands still for a moment would ruin means. A model with sequences is
    sent as many of them as a batch holds. Single requests after pauses of every length show what an execution takes
    more after its instance was idle. Of an ensemble each model of its steps is measured, one after the other.

    Args:
        model: of a server that keeps events.
        inputs: of one request, with the batch dimension of 1 where the model batches; None for made ones. Of an
            ensemble, what its steps take follows from them.
        max_batch_size: the largest size; 0 for the configuration's. A larger one than that reloads the model.
        instances: up to how many instances disturb each other; 0 for as many as are configured, of all models of an
            ensemble together.
        budget_s: time that bursts may take, in all; the smallest, the largest and powers of two are always measured.
        seed: of made inputs.
        progress: true for a bar, or a callable.

    Returns:
        A `Calibration`, or the `EnsembleCalibration` of an ensemble.

    Raises:
        InvalidArgumentError: a model that this does not fit, or a server without events.
        UnsupportedError: steps of an ensemble that are ensembles themselves.
        UnknownError: requests failed, or others were sent meanwhile.
        KeyboardInterrupt: within 0.1 s of the stop button.
    """
    extent = Extent(inputs, max_batch_size, instances, budget_s, seed, progress)
    if is_ensemble(parse_config(model.config)):
        return calibrate_ensemble(model, extent)
    return calibrate_model(model, extent)
