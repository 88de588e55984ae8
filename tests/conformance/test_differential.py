# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated models and requests answered by both servers: the same codes, configurations, tensors and counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.conformance.both_servers import Ours
from tests.conformance.conftest import StartRealTriton
from tests.conformance.differential import Case, Pair
from tests.conformance.generated_batches import queue_cases, ragged_cases
from tests.conformance.generated_ensembles import ensemble_cases
from tests.conformance.generated_sequences import sequence_cases
from tests.conformance.generated_tensors import cached_cases, plain_cases, reshaped_cases, version_cases
from tests.conformance.real_server import Real
from tests.conformance.sequence_servers import build_backends
from tests.conformance.test_management import backends
from tests.flow import build_data_backend, build_flow

CASES: dict[str, tuple[st.SearchStrategy[Case], int]] = {
    "plain": (plain_cases, 300),
    "reshaped": (reshaped_cases(), 40),
    "versions": (version_cases(), 30),
    "cached": (cached_cases(), 40),
    "sequences": (sequence_cases(), 60),
    "ensembles": (ensemble_cases(), 40),
    "ragged": (ragged_cases(), 30),
    "queues": (queue_cases(), 12),
}
"""What is generated, and how many of it."""


def make_backends(folder: Path) -> Path:
    """One folder of all backends that the cases use, for both servers."""
    folder.mkdir()
    (folder / "identity").symlink_to(backends() / "identity")
    build_backends(folder)
    build_data_backend("ragged", folder)
    return build_flow(folder)


@pytest.fixture(scope="module")
def pair(real_triton: StartRealTriton, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    repository = tmp_path_factory.mktemp("repository")
    used = make_backends(tmp_path_factory.mktemp("built") / "backends")
    args = ["--model-control-mode=explicit", "--cache-config=local,size=16777216"]
    with wb.Server(repository, name="differential", backends=[used], response_cache_byte_size=16 << 20) as server:
        yield Pair(repository, Ours(server), Real(lambda: real_triton(repository, used, args=args)))


@pytest.mark.parametrize("kind", CASES)
def test_both_servers_answer_alike(pair: Pair, kind: str) -> None:
    cases, count = CASES[kind]

    @settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def answer_alike(case: Case) -> None:
        assert pair.differences(case) == [], case.text

    answer_alike()
