# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Simulations and measurements over a cluster of processes: Dask's, by the seam that any executor has."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

import pytest

import workbench as wb
from workbench.config import parse_config
from workbench.sweep import Machines, candidate_of
from workbench.testing.fake_predictor import FakePredictor

distributed = pytest.importorskip("distributed", reason="Dask's cluster is not installed")

SAMPLES = Path(__file__).parents[2] / "model_repository"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    """One worker process on this machine; a nanny spawns it."""
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


def test_a_cluster_simulates_the_space_and_measures_the_best(cluster: Executor) -> None:
    with wb.Server(SAMPLES, name="here") as server:
        model = server.load("synthetic")
        before = model.statistics().success.count
        study = wb.sweep(
            model,
            space={"max_batch_size": [4, 8], "max_queue_delay_microseconds": [0, 500]},
            workload=wb.Workload(rate=500, duration_s=0.2),
            predictor=FakePredictor(900_000, 100_000),
            executor=cluster,
            machines=Machines(cluster, SAMPLES),
            progress=False,
            repeats=0,
            most=2,
            simulated_requests=200,
        )
        assert model.statistics().success.count == before
    assert len(study.forecasts) == 5  # and the model as it is
    assert 2 <= len({trial.candidate for trial in study.trials}) <= 3
    for trial in study.trials:
        assert candidate_of(parse_config(trial.config)) == trial.candidate
        assert trial.points[-1].throughput > 0
