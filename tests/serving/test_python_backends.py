# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backends that are written in Python: one's own in a folder, and `pytorch` and `tensorrt` of the wheel."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.python_models import DOUBLE, FLOATS, HEAD, ROW, loader
from workbench.errors import LoadError
from workbench.python_backend.batching import TensorSpec
from workbench.python_backend.torch_model import ordered
from workbench.server.finder import WHEEL_BACKENDS, BackendFinder

pytest.importorskip("workbench._native", reason="no core: make build")

SAMPLES = Path(__file__).parents[2] / "model_repository"
PAIR = "max_batch_size: 4" + FLOATS


def write(repository: Path, backend: str, config: str = PAIR) -> Path:
    folder = repository / "m" / "1"
    folder.mkdir(parents=True)
    (repository / "m" / "config.pbtxt").write_text(f'backend: "{backend}"\n{config}')
    return folder


def test_the_sample_adds_and_subtracts() -> None:
    with wb.Server(SAMPLES, name="python-sample") as server:
        one, two = np.arange(4, dtype=np.float32)[None], np.full((1, 4), 2, np.float32)
        reply = server.load("add_sub").infer({"INPUT0": one, "INPUT1": two})
    np.testing.assert_array_equal(reply["OUTPUT0"], one + two)
    np.testing.assert_array_equal(reply["OUTPUT1"], one - two)


def test_a_folder_of_backends_may_hold_one_in_python(tmp_path: Path) -> None:
    (tmp_path / "backends" / "doubling").mkdir(parents=True)
    (tmp_path / "backends" / "doubling" / "model.py").write_text(HEAD + DOUBLE)
    write(tmp_path / "models", "doubling")
    with wb.Server(tmp_path / "models", name="folder", backends=[tmp_path / "backends"]) as server:
        np.testing.assert_array_equal(server.load("m").infer({"IN": ROW})["OUT"], ROW * 2)


def test_a_library_goes_before_a_file_of_the_same_backend(tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "model.py").touch()
    finder = BackendFinder(built=lambda _: None, folders=[tmp_path])
    assert finder("both", ()).parent == WHEEL_BACKENDS / "python"
    (tmp_path / "both" / "libtriton_both.so").touch()
    assert finder("both", ()).parent == tmp_path / "both"


@pytest.mark.parametrize("backend", ["pytorch", "tensorrt", "jax"])
def test_what_is_not_installed_is_told_with_what_brings_it(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch", "tensorrt", "jax"):
        monkeypatch.setitem(sys.modules, name, None)
    write(tmp_path, backend)
    told = rf"pip install 'workbench-serving\[{backend}\]'"
    with wb.Server(tmp_path, name="missing") as server, pytest.raises(LoadError, match=told):
        server.load("m")


def test_arguments_of_a_program_are_ordered_by_their_numbers() -> None:
    def specs(*names: str) -> list[TensorSpec]:
        return [TensorSpec(name, "FP32", (1,)) for name in names]

    assert [spec.name for spec in ordered(specs("IN__2", "IN__10", "IN__0"))] == ["IN__0", "IN__2", "IN__10"]
    assert [spec.name for spec in ordered(specs("b", "a"))] == ["b", "a"]


def test_memory_is_flat_over_rounds_of_loading(tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    held = "class Held: weights = np.ones(250_000)\n"  # 2 MB, which a leaked module would keep
    with wb.Server(tmp_path, name="rounds") as server:
        load, resident = loader(server, tmp_path), []
        for turn in range(60):
            model = load(held + DOUBLE + f"# {turn}")
            model.infer({"IN": ROW})
            server.unload("m")
            assert server.wait_settled()
            resident.append(psutil.Process().memory_info().rss)
    assert min(resident[-10:]) - min(resident[10:20]) < 8 << 20
