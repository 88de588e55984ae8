# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `pytorch`: programs answer what PyTorch computes, and what can not be read is named."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import LoadError, WorkbenchError

pytest.importorskip("workbench._native", reason="no core: make build")
torch: Any = pytest.importorskip("torch", reason="no PyTorch: pip install 'workbench-serving[pytorch]'")
# PyTorch asks for exported programs since 2.9; TorchScript files are what people have.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit:FutureWarning", "ignore:.*torch.jit:DeprecationWarning")

ROW = np.arange(4, dtype=np.float32)[None]
ONE = 'input { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } output { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }'
TWO = """
    input [ { name: "IN__1" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "IN__0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "DIFFERENCE" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "SUM" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""


class Double(torch.nn.Module):  # type: ignore[misc]
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Named(torch.nn.Module):  # type: ignore[misc]
    def forward(self, first: torch.Tensor, second: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"SUM": first + second, "DIFFERENCE": first - second}


def scripted(folder: Path, module: Any) -> None:
    torch.jit.script(module).save(str(folder / "model.pt"))


def exported(folder: Path, module: Any, *inputs: Any) -> None:
    rows = torch.export.Dim("rows", min=1, max=8)
    program = torch.export.export(module, inputs, dynamic_shapes=tuple({0: rows} for _ in inputs))
    torch.export.save(program, str(folder / "model.pt2"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m" / "1").mkdir(parents=True)
    return tmp_path / "m" / "1"


def served(folder: Path, tensors: str = ONE, more: str = "") -> wb.Server:
    text = f'backend: "pytorch" max_batch_size: 8 instance_group {{ kind: KIND_CPU }} {tensors} {more}'
    (folder.parent / "config.pbtxt").write_text(text)
    return wb.Server(folder.parents[1], name="torch")


def test_a_script_answers_what_torch_computes(folder: Path) -> None:
    scripted(folder, Double())
    with served(folder) as server:
        np.testing.assert_array_equal(server.load("m").infer({"IN": ROW})["OUT"], ROW * 2)


def test_an_exported_program_answers_what_torch_computes(folder: Path) -> None:
    exported(folder, Double(), torch.ones(2, 4))
    with served(folder) as server:
        model = server.load("m")
        for rows in (1, 3):
            batch = np.repeat(ROW, rows, axis=0)
            np.testing.assert_array_equal(model.infer({"IN": batch})["OUT"], batch * 2)


def test_inputs_go_by_their_numbers_and_outputs_by_their_names(folder: Path) -> None:
    scripted(folder, Named())
    with served(folder, TWO) as server:
        reply = server.load("m").infer({"IN__0": ROW * 3, "IN__1": ROW})
    np.testing.assert_array_equal(reply["SUM"], ROW * 4)
    np.testing.assert_array_equal(reply["DIFFERENCE"], ROW * 2)


def test_requests_of_a_batch_run_as_one_and_get_their_own_rows(folder: Path) -> None:
    scripted(folder, Double())
    more = "dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 5000000 }"
    with served(folder, more=more) as server, ThreadPoolExecutor(4) as pool:
        model = server.load("m")
        replies = list(pool.map(lambda factor: model.infer({"IN": ROW * factor})["OUT"], range(1, 5)))
        assert model.statistics().execution_count == 1
    for factor, reply in enumerate(replies, start=1):
        np.testing.assert_array_equal(reply, ROW * factor * 2)


def test_threads_are_set_by_parameters(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", counts.append)
    scripted(folder, Double())
    more = 'parameters { key: "INTRA_OP_THREAD_COUNT" value: { string_value: "1" } }'
    with served(folder, more=more) as server:
        np.testing.assert_array_equal(server.load("m").infer({"IN": ROW})["OUT"], ROW * 2)
    assert counts == [1]


def test_what_a_program_raises_is_its_requests_error_and_the_model_lives(folder: Path) -> None:
    class Picky(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.sum() < 0:
                raise RuntimeError("sums below zero are not served")
            return x

    scripted(folder, Picky())
    with served(folder) as server:
        model = server.load("m")
        with pytest.raises(WorkbenchError, match="sums below zero are not served"):
            model.infer({"IN": -1 - ROW})
        np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW)


def test_a_broken_or_missing_program_is_named(folder: Path) -> None:
    with served(folder) as server:
        with pytest.raises(LoadError, match=r"has no model\.pt and no model\.pt2"):
            server.load("m")
        (folder / "model.pt").write_bytes(b"none")
        with pytest.raises(LoadError, match="is no program that this PyTorch reads"):
            server.load("m")
