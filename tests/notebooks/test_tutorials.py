# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The tutorials, run as JupyterLab would run them: what each teaches is what it found, asked for in one cell more."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from model_repository import fetch

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def run(name, *findings, folder=ROOT / "notebooks"):
    """Values of those variables, after all cells ran; a cell fails the test unless it is there to fail."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    asked = ", ".join(f"{finding!r}: {finding}" for finding in findings)
    notebook.cells.append(nbformat.v4.new_code_cell(f"import json\nprint(json.dumps({{{asked}}}, default=str))"))
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    return notebook, json.loads(notebook.cells[-1].outputs[-1].text)


@pytest.fixture
def folder(tmp_path):
    """A place with the committed models, where what notebooks write does not stay."""
    models = ROOT / "model_repository"
    shutil.copytree(models, tmp_path / "model_repository", ignore=shutil.ignore_patterns("*.onnx", "*.so"))
    (tmp_path / "notebooks").mkdir()
    return tmp_path / "notebooks"


def fetched(*names):
    try:
        fetch.fetch(fetch.with_steps(names))
    except subprocess.CalledProcessError as exc:
        pytest.skip(f"wheels can not be downloaded: {exc}")


def errors_of(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.ename for output in outputs if output.output_type == "error"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_notebooks_hold_no_outputs(notebook):
    cells = nbformat.read(notebook, as_version=4).cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells if cell.cell_type == "code")


def test_the_life_of_a_request_is_read_from_events(folder):
    _, found = run("02_life_of_a_request", "shares", "reasons", "mean_size", "answers", folder=folder)
    assert found["shares"]["requests"] >= 2000
    assert found["shares"]["queue ms"] > 0
    assert {"full", "delay_expired"} <= set(found["reasons"])
    assert found["mean_size"]["full"] == 4
    assert sorted(found["answers"].values()) == [3, 4]


def test_your_own_backend_is_replaced_refuses_and_is_checked(folder):
    notebook, found = run(
        "03_your_own_backend", "answer", "still", "tenfold", "refused_request", "refused_model", "loud", "engine_rates",
        folder=folder,
    )  # fmt: skip
    assert errors_of(notebook) == ["CompileError", "PreflightError", "PreflightError"]
    assert found["answer"] == [[0, 2, 4, 6]]
    assert found["still"] == [[2, 2]]
    assert found["tenfold"] == [[10, 10]]
    assert "no number at 1" in found["refused_request"]
    assert "parameter factor is 0" in found["refused_model"]
    assert found["loud"] == ["HELLO", "WORLD"]
    assert found["engine_rates"]["by_batch"] > 1.5 * found["engine_rates"]["by_request"]


def test_dynamic_batching_shares_the_start_of_a_run(folder):
    _, found = run("04_dynamic_batching", "rates", "closed.mean_batch_size", "together.mean_batch_size", folder=folder)
    assert found["rates"]["32"] > 3 * found["rates"]["1"]
    assert found["together.mean_batch_size"] > found["closed.mean_batch_size"]


def test_instances_help_what_waits_and_share_what_computes(folder):
    _, found = run(
        "05_instances", "{count: m.throughput for count, m in waiting.items()}", "execution_ms", "held", folder=folder
    )
    waiting = found["{count: m.throughput for count, m in waiting.items()}"]
    assert waiting["8"] > 4 * waiting["1"]
    if (os.cpu_count() or 1) <= 4:  # more instances than cores
        assert found["execution_ms"]["8"] > 1.5 * found["execution_ms"]["1"]
    assert found["held"] == {"1": 16, "2": 32, "4": 64}


def test_memory_is_borrowed_kept_and_limited(folder):
    _, found = run("06_memory", "took", "copies", "while_held", "after", "outcome", "still_ready", folder=folder)
    assert found["took"]["4 MiB, every second"] > 5 * found["took"]["4 MiB"]
    assert found["copies"]["not_contiguous"] == 200 * (2 << 20)
    assert found["while_held"][0] >= 32 << 20
    assert found["after"] == [0, found["while_held"][1]]
    assert found["outcome"]["2"] == "ready"
    assert "of the limit of 67108864" in found["outcome"]["4"]
    assert found["still_ready"] == [1, 16]


def test_sequences_are_kept_apart():
    fetched("silero_stream")
    _, found = run(
        "07_sequences", "together == alone", "max(together[1])", "max(together[2])", "sums", "never_begun", "too_late",
        "waited_s",
    )  # fmt: skip
    assert found["together == alone"]
    assert found["max(together[1])"] > found["max(together[2])"]
    assert found["sums"] == [1, 100, 3, 300, 6, 600]
    assert "START" in found["never_begun"]
    assert "START" in found["too_late"]
    assert 0.1 < found["waited_s"] < 5


def test_ensembles_put_preparation_on_the_server():
    fetched("magika", "resnet50_images", "resnet50_images_python")
    _, found = run(
        "08_ensembles", "labels", "step_us", "mean_batch", "sum(load.errors.values())", "passed_through", "mistake"
    )
    assert found["labels"]["fetch.py"] == "python"
    assert found["step_us"]["magika_model"] > 10 * found["step_us"]["magika_features"]
    assert found["mean_batch"]["magika_features"] == 1
    assert found["mean_batch"]["magika_model"] > 1.2
    assert found["sum(load.errors.values())"] == 0
    assert found["passed_through"]
    assert "nothing uses the tensor 'nowhere'" in found["mistake"]


def test_python_models_serve_and_crash_apart(folder):
    _, found = run(
        "09_python_and_jax", "answer", "same", "compute_us", "crash", "afterwards", "jax_said", folder=folder
    )
    assert found["answer"] == [[6], [1]]
    assert found["same"]
    assert found["compute_us"]["C++"] < found["compute_us"]["Python"]
    assert "was killed by signal 6" in found["crash"]
    assert found["afterwards"] == 3
    assert found["jax_said"]


def test_cuda_cells_run_on_a_gpu_or_say_why_not(folder):
    _, found = run("10_cuda_cells", "is_right", "gpus", "built", "on_gpu", folder=folder)
    assert found["is_right"]
    assert ("Library" in found["built"]) or ("nvcc" in found["built"])
    assert found["on_gpu"] == "the same" if found["gpus"] else "KIND_CPU" in found["on_gpu"]


def test_tuning_ends_in_an_export_that_serves(folder):
    notebook, found = run(
        "11_tuning", "limits", "prediction.p50_ns", "prediction.p99_ns", "[str(t.state) for t in study.trials]",
        "verification.models[0].ours", "verification.models[0].real", folder=folder,
    )  # fmt: skip
    assert list(found["limits"].values()) == sorted(found["limits"].values())
    assert 2e6 < found["prediction.p50_ns"] < found["prediction.p99_ns"] < 8e6
    assert len(found["[str(t.state) for t in study.trials]"]) >= 3
    assert found["verification.models[0].ours"] == "answers"
    real = found["verification.models[0].real"]
    assert real == "answers the same" or real.startswith("not tried")
    assert "workbench: tuned" in notebook.cells[-3].outputs[0].text


def test_clients_of_the_protocols_are_served(folder):
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    _, found = run("12_serving_clients", "ready", "answer", "ways", "arrived", "served", "values", folder=folder)
    assert found["ready"] == "200"
    assert found["answer"]["outputs"][0]["data"] == [1, 2, 3, 4]
    assert found["ways"]["HTTP, JSON"] > 5 * found["ways"]["HTTP, binary"]
    assert found["arrived"]
    assert min(found["served"].values()) > 50
    assert found["values"]["nv_inference_request_success"] >= 1
