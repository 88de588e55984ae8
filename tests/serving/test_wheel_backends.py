# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The backends that come with workbench, on the real core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.errors import InternalError, WorkbenchError


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name=tmp_path.name) as server:
        yield server


def load(
    server: wb.Server, tensors: str, *, backend: str = "synthetic", parameters: Mapping[str, str] | None = None
) -> wb.server.Model:
    pairs = "".join(
        f'parameters {{ key: "{k}" value {{ string_value: "{v}" }} }}\n' for k, v in (parameters or {}).items()
    )
    return server.load("m", config=f'name: "m"\nbackend: "{backend}"\nmax_batch_size: 8\n{tensors}\n{pairs}')


FLOATS = """
input [ { name: "IN" data_type: TYPE_FP32 dims: [ 2 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 2 ] } ]
"""
ONES = {"IN": np.ones((1, 2), np.float32)}


class TestIdentity:
    TENSORS = """
    input [ { name: "A" data_type: TYPE_INT64 dims: [ -1 ] }, { name: "B" data_type: TYPE_STRING dims: [ 2 ] } ]
    output [ { name: "X" data_type: TYPE_INT64 dims: [ -1 ] }, { name: "Y" data_type: TYPE_STRING dims: [ 2 ] } ]
    """

    def test_answers_each_output_with_the_input_at_its_place(self, server: wb.Server) -> None:
        model = load(server, self.TENSORS, backend="identity")
        reply = model.infer({"A": np.array([[1, 2, 3]]), "B": np.array([["one", ""]], dtype=object)})
        np.testing.assert_array_equal(reply["X"], [[1, 2, 3]])
        assert reply["Y"].tolist() == [[b"one", b""]]

    def test_answers_what_is_asked_for_alone(self, server: wb.Server) -> None:
        model = load(server, self.TENSORS, backend="identity")
        reply = model.infer({"A": np.array([[1]]), "B": np.array([["a", "b"]], dtype=object)}, outputs=["X"])
        assert list(reply.outputs) == ["X"]

    def test_refuses_a_model_that_changes_types(self, server: wb.Server) -> None:
        tensors = FLOATS.replace('"OUT" data_type: TYPE_FP32', '"OUT" data_type: TYPE_FP64')
        with pytest.raises(WorkbenchError, match="identity changes no type"):
            load(server, tensors, backend="identity")


class TestSynthetic:
    def test_repeats_its_input(self, server: wb.Server) -> None:
        np.testing.assert_array_equal(load(server, FLOATS).infer(ONES)["OUT"], ONES["IN"])

    def test_answers_zeros_where_no_input_fits(self, server: wb.Server) -> None:
        tensors = """
        input [ { name: "IN" data_type: TYPE_FP32 dims: [ 2 ] } ]
        output [ { name: "N" data_type: TYPE_INT8 dims: [ 3, -1 ] }, { name: "T" data_type: TYPE_STRING dims: [ 2 ] } ]
        """
        reply = load(server, tensors).infer({"IN": np.ones((4, 2), np.float32)})
        np.testing.assert_array_equal(reply["N"], np.zeros((4, 3, 1)))
        assert reply["T"].tolist() == [[b"", b""]] * 4

    @pytest.mark.parametrize("mode", ["sleep", "spin"])
    def test_takes_the_time_it_is_told_to(self, server: wb.Server, mode: str) -> None:
        model = load(server, FLOATS, parameters={"tau0_us": "3000", "alpha_us": "500", "mode": mode})
        model.infer({"IN": np.ones((4, 2), np.float32)})
        # 3000 + 4 * 500 microseconds; the machine may add to that, never take away.
        assert model.statistics().compute_infer.ns >= 5_000_000

    def test_fails_the_share_of_requests_it_is_told_to_and_the_same_ones_again(self, server: wb.Server) -> None:
        def outcomes() -> list[bool]:
            server.unload("m")
            model = load(server, FLOATS, parameters={"failure_rate": "0.5", "seed": "7"})
            return [succeeds(model) for _ in range(40)]

        first = outcomes()
        assert 5 < sum(first) < 35
        assert outcomes() == first

    def test_takes_memory_that_the_server_counts(self, server: wb.Server) -> None:
        def live() -> int:
            return sum(pool.live_byte_size for pool in server.memory().pools)

        before = live()
        load(server, FLOATS, parameters={"memory_bytes": "1000000"})
        assert live() - before >= 1_000_000

    @pytest.mark.parametrize(
        ("parameter", "value"), [("tau0_us", "soon"), ("tau0_us", "-1"), ("mode", "dance"), ("failure_rate", "2")]
    )
    def test_refuses_parameters_that_mean_nothing(self, server: wb.Server, parameter: str, value: str) -> None:
        with pytest.raises(WorkbenchError, match=parameter):
            load(server, FLOATS, parameters={parameter: value})


def succeeds(model: wb.server.Model) -> bool:
    try:
        model.infer(ONES)
    except InternalError:
        return False
    return True
