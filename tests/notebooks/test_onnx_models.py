# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The notebook of ONNX models, run as JupyterLab would run it; what it found is asked for in one cell more."""

import json
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from model_repository import fetch

pytest.importorskip("onnxruntime")
ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "notebooks" / "02_serve_onnx_models.ipynb"
FINDINGS = """
import json

print(json.dumps({
    "labels": labels,
    "step_us": step_us,
    "mean_batch": mean_batch,
    "failed": sum(load.errors.values()),
    "is_same": together == alone,
    "voice": max(together[1]),
    "noise": max(together[2]),
}))
"""


@pytest.fixture(scope="module")
def findings():
    try:
        fetch.fetch(fetch.with_steps(["magika", "silero_stream"]))
    except subprocess.CalledProcessError as exc:
        pytest.skip(f"wheels can not be downloaded: {exc}")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(FINDINGS))
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    return json.loads(notebook.cells[-1].outputs[-1].text)


def test_the_committed_notebook_holds_no_outputs():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells if cell.cell_type == "code")


def test_files_get_the_labels_of_what_they_are(findings):
    assert findings["labels"]["model_repository/fetch.py"] == "python"
    assert findings["labels"]["model_repository/magika/README.md"] in {"markdown", "txt"}


def test_the_model_takes_the_time_and_runs_requests_together(findings):
    step_us, mean_batch = findings["step_us"], findings["mean_batch"]
    assert step_us["magika_model"] > 10 * step_us["magika_features"]
    assert mean_batch["magika_features"] == 1
    assert mean_batch["magika_model"] > 1.2
    assert findings["failed"] == 0


def test_streams_are_heard_as_each_alone(findings):
    assert findings["is_same"]
    assert findings["voice"] > findings["noise"]
