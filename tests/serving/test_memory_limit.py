# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server may take of the machine's memory, and what it says at the limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb

MIB = 1 << 20
TEXT = """
backend: "identity" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_UINT8 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_UINT8 dims: [ -1 ] } ]
"""
ONE_MIB = np.zeros((1, MIB), np.uint8)


def serve(folder: Path, **options: Any) -> wb.Server:
    return wb.Server(folder, name="limited", **options)


def test_an_allocation_beyond_the_limit_fails_with_the_figures_until_there_is_room(tmp_path: Path) -> None:
    with serve(tmp_path, pool_byte_size=0, memory_limit_byte_size=4 * MIB) as server:
        model = server.load("m", config=TEXT)
        held = [model.infer({"INPUT0": ONE_MIB}) for _ in range(4)]
        figures = f"cannot allocate {MIB} bytes: {4 * MIB} of the limit of {4 * MIB} are in use"
        with pytest.raises(wb.UnavailableError, match=figures):
            model.infer({"INPUT0": ONE_MIB})
        assert server.memory().pool("host").limit_byte_size == 4 * MIB
        held.pop()
        assert model.infer({"INPUT0": ONE_MIB})["OUTPUT0"].shape == (1, MIB)


def test_no_model_is_loaded_while_the_limit_is_reached(tmp_path: Path) -> None:
    with serve(tmp_path, pool_byte_size=0, memory_limit_byte_size=2 * MIB) as server:
        model = server.load("m", config=TEXT)
        held = [model.infer({"INPUT0": ONE_MIB}) for _ in range(2)]
        with pytest.raises(
            wb.UnavailableError, match=f"{2 * MIB} bytes of memory_limit_byte_size {2 * MIB} are in use"
        ):
            server.load("n", config=TEXT)
        model.reconfigure(version_policy={"all": {}})  # what serves may change
        held.clear()
        server.load("n", config=TEXT)


def test_the_pool_and_what_lies_beside_it_share_the_limit(tmp_path: Path) -> None:
    with serve(tmp_path, memory_limit_byte_size=8 * MIB) as server:
        model = server.load("m", config=TEXT)
        held: list[Any] = []
        with pytest.raises(wb.UnavailableError, match="of the limit of"):
            held.extend(model.infer({"INPUT0": ONE_MIB}) for _ in range(9))
        assert 4 <= len(held) <= 8
        assert sum(pool.reserved_byte_size for pool in server.memory().pools) <= 8 * MIB


def test_what_the_cache_may_take_is_set_aside(tmp_path: Path) -> None:
    with serve(tmp_path, pool_byte_size=0, memory_limit_byte_size=4 * MIB, response_cache_byte_size=3 * MIB) as server:
        assert server.memory().pool("host").limit_byte_size == MIB
    with pytest.raises(wb.InvalidArgumentError, match="leaves nothing"):
        serve(tmp_path, memory_limit_byte_size=MIB, response_cache_byte_size=MIB)
