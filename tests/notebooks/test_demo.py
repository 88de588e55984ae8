# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What `make demo` runs, on notebooks of a few lines."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

DEMO = Path(__file__).resolve().parents[2] / "tools" / "demo.py"
EXPORT = """
from pathlib import Path
folder = Path("out/repository/m")
folder.mkdir(parents=True)
_ = (folder / "config.pbtxt").write_text('name: "m"')
"""
PICTURE = """
import base64
from IPython.display import display
pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
display({"image/png": pixel}, raw=True)
"""


@pytest.fixture
def demo(tmp_path):
    """Runs the demo on a notebook of these cells."""

    def runner(*cells):
        path = tmp_path / "notebooks" / "short.ipynb"
        path.parent.mkdir()
        nbformat.write(new_notebook(cells=list(cells)), path)
        command = [sys.executable, str(DEMO), str(path), "--output", str(tmp_path / "demo")]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    return runner


def test_it_names_the_steps_the_configuration_and_the_pictures(demo, tmp_path):
    done = demo(new_markdown_cell("## Export it"), new_code_cell(EXPORT), new_code_cell(PICTURE))
    assert done.returncode == 0, done.stderr
    assert "[0] Export it" in done.stdout
    assert 'name: "m"' in done.stdout
    assert f"exported repository: {tmp_path / 'notebooks/out/repository'}" in done.stdout
    assert (tmp_path / "demo/picture-1.png").read_bytes().startswith(b"\x89PNG")
    assert "short.html" in done.stdout


def test_a_cell_that_fails_is_shown_and_the_notebook_kept(demo, tmp_path):
    done = demo(new_code_cell("1 / 0"))
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    kept = nbformat.read(tmp_path / "demo/short.ipynb", as_version=4)
    assert kept.cells[0].outputs[0].ename == "ZeroDivisionError"
