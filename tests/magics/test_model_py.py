# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%%model_py`: a cell of a model.py serves, reloads, and tells the cell's own lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.shells import notebook_shell

pytest.importorskip("workbench._native", reason="no core: make build")

CELL = """import pb_utils
class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        config.add_input({"name": "IN", "data_type": "TYPE_FP32", "dims": [2]})
        config.add_output({"name": "OUT", "data_type": "TYPE_FP32", "dims": [2]})
        return config
    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", r.inputs()[0].as_numpy() * 2)]) for r in requests]
"""
PAIR = np.array([1, 2], np.float32)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Any]:
    with notebook_shell() as shell:
        shell.run_line_magic("serve", f"{tmp_path}")
        yield shell


def test_a_cell_serves_and_an_edited_one_replaces_it(shell: Any) -> None:
    model = shell.run_cell_magic("model_py", "pair", CELL)
    assert model.infer({"IN": PAIR})["OUT"].tolist() == [2, 4]
    shell.run_cell_magic("model_py", "pair", CELL.replace("* 2", "* 3"))
    assert model.infer({"IN": PAIR})["OUT"].tolist() == [3, 6]


def test_messages_count_the_lines_of_the_cell(shell: Any) -> None:
    model = shell.run_cell_magic("model_py", "pair", CELL.replace("* 2", "* nothing"))
    with pytest.raises(wb.WorkbenchError, match=r"NameError: name 'nothing' .*\(<cell pair>, line 10, in .*\* nothing"):
        model.infer({"IN": PAIR})
    with pytest.raises(wb.WorkbenchError, match=r"SyntaxError: .*\(<cell pair>, line 3\)"):
        shell.run_cell_magic("model_py", "pair", "import pb_utils\nclass:\n")
    with pytest.raises(wb.WorkbenchError, match="NameError"):
        model.infer({"IN": PAIR})


def test_a_failed_cell_leaves_what_serves(shell: Any) -> None:
    model = shell.run_cell_magic("model_py", "pair", CELL)
    with pytest.raises(wb.WorkbenchError, match="no class TritonPythonModel"):
        shell.run_cell_magic("model_py", "pair", "x = 1\n")
    assert model.infer({"IN": PAIR})["OUT"].tolist() == [2, 4]


def test_the_configuration_is_of_the_repository_or_a_variable(shell: Any, tmp_path: Path) -> None:
    tensors = 'input { name: "IN" data_type: TYPE_FP32 dims: 2 } output { name: "OUT" data_type: TYPE_FP32 dims: 2 }'
    plain = CELL.replace("auto_complete_config", "left_out")
    shell.user_ns["text"] = f'backend: "python" max_batch_size: 4 {tensors}'
    model = shell.run_cell_magic("model_py", "pair --config text", plain)
    assert model.infer({"IN": PAIR[None]})["OUT"].tolist() == [[2, 4]]
    shell.run_cell_magic("model_py", "written --write", CELL)
    assert (tmp_path / "written" / "1" / "model.py").read_text() == CELL
    (tmp_path / "pair" / "1").mkdir(parents=True)
    (tmp_path / "pair" / "config.pbtxt").write_text(f'backend: "python" max_batch_size: 8 {tensors}')
    assert "max_batch_size: 8" in shell.run_cell_magic("model_py", "pair", plain).config
