# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the pages of the documentation show is run: Python, cells of C++, configurations, commands."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.docs.pages import PAGES, READ_ALONE, ROOT, TAKEN_FOR_GRANTED, TENSORS, blocks, pages_with, runnable
from workbench.config import complete, parse_config, validate
from workbench.errors import NotFoundError
from workbench.events import BatchReason
from workbench.server import current
from workbench.terminal.main import parser

pytest.importorskip("workbench._native", reason="no core: make build")
MODEL_PY = "docs/how-to/write-a-python-model.md"
NEEDS = {
    "docs/how-to/measure.md": "pyarrow",
    "docs/how-to/record-and-replay.md": "pyarrow",
    "docs/reference/recording.md": "pyarrow",
    "docs/how-to/serve-onnx-models.md": "onnxruntime",
}


@pytest.fixture
def model_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    models = shutil.ignore_patterns("*.onnx", "*.so")
    shutil.copytree(ROOT / "model_repository", tmp_path / "model_repository", ignore=models)
    yield
    with suppress(NotFoundError):
        current().close()


@pytest.mark.usefixtures("model_folder")
@pytest.mark.parametrize("page", [page for page in pages_with("python") if page != MODEL_PY])
def test_python_of_a_page_runs(page: str) -> None:
    if page in NEEDS:
        pytest.importorskip(NEEDS[page])
    known: dict[str, Any] = {"wb": wb, "np": np, "Path": Path, "TENSORS": TENSORS}
    known["BLOCKS"] = {"text": blocks(page, "text")}
    exec(compile(TAKEN_FOR_GRANTED.get(page, ""), "before", "exec"), known)
    exec(compile(runnable(page), page, "exec"), known)
    for index in READ_ALONE.get(page, ()):
        compile(blocks(page, "python")[index], page, "exec")


@pytest.mark.usefixtures("model_folder")
def test_the_model_of_the_page_on_python_models_adds() -> None:
    (source,) = blocks(MODEL_PY, "python")
    with wb.Server("model_repository", name="page") as server:
        model = server.load_model_py("add_sub", source, config='backend: "python"')
        one, two = np.full((1, 4), 1, np.float32), np.full((1, 4), 2, np.float32)
        np.testing.assert_array_equal(model.infer({"INPUT0": one, "INPUT1": two})["SUM"], one + two)


@pytest.mark.parametrize("page", pages_with("cpp"))
def test_cells_of_a_page_compile(page: str) -> None:
    cells = [block for block in blocks(page, "cpp") if block.startswith("%%backend")]
    for cell in cells:
        magic, source = cell.split("\n", 1)
        assert wb.build_backend(magic.split()[1], source).path.exists()


def test_configurations_of_the_page_on_managing_models_are_legal() -> None:
    for block in blocks("docs/how-to/manage-models.md", "text"):
        text = 'backend: "identity" max_batch_size: 64' + TENSORS + block
        validate(complete(parse_config(text), name="m"))


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_of_a_page_are_understood(page: str) -> None:
    prompt = "$ python -m workbench "
    lines = [line for block in blocks(page, "console") for line in block.splitlines() if line.startswith(prompt)]
    for line in lines:
        command = line.removeprefix(prompt).partition(" | ")[0]
        parser().parse_args(shlex.split(command, comments=True))


def test_pages_that_take_something_for_granted_exist() -> None:
    assert set(TAKEN_FOR_GRANTED) | set(NEEDS) <= set(PAGES)


@pytest.mark.parametrize("page", ["docs/glossary.md", "docs/reference/recording.md"])
def test_pages_that_list_the_reasons_of_batches_list_all(page: str) -> None:
    names = {reason.name.lower() for reason in BatchReason} - {"none"}
    assert not {name for name in names if name not in PAGES[page] and name.replace("_", " ") not in PAGES[page]}
