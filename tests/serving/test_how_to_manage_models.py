# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the page on managing models shows is run, block by block."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench as wb
from workbench.config import complete, parse_config, validate
from workbench.server import current

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/how-to/manage-models.md").read_text()
TENSORS = """
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "model_repository", tmp_path / "model_repository")
    yield tmp_path
    current().close()


def test_python_of_the_page_runs(repository: Path) -> None:
    shown = {"wb": wb, "TENSORS": TENSORS}
    for block in blocks("python"):
        exec(compile(block, "manage-models.md", "exec"), shown)
    assert isinstance(shown["server"], wb.Server)


def test_configuration_of_the_page_is_legal() -> None:
    for block in blocks("text"):
        text = 'backend: "identity" max_batch_size: 64' + TENSORS + block
        validate(complete(parse_config(text), name="m"))
