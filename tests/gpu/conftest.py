# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that need a GPU: `pytest -m gpu`, which `benchmarks/gpu_check.py` runs. Skipped where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import workbench as wb
from tests.samples.conftest import REPOSITORY
from workbench.server import gpu_count


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = not gpu_count()
    for item in items:
        if "gpu" in item.path.parts:
            item.add_marker(pytest.mark.gpu)
            if missing:
                item.add_marker(pytest.mark.skip(reason="this machine has no GPU"))


@pytest.fixture
def server() -> Iterator[wb.Server]:
    """On the samples."""
    with wb.Server(REPOSITORY, name="on-a-gpu") as server:
        yield server
