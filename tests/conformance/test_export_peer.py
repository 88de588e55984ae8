# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is exported loads in the real server unchanged, and answers the same, down to the same shared object."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench as wb
from model_repository import fetch
from workbench.load import Workload

ROOT = Path(__file__).resolve().parents[2]
BROKEN = """
name: "broken"
backend: "nobody"
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
"""


@pytest.fixture(scope="module")
def server() -> Iterator[wb.Server]:
    with wb.Server(ROOT / "model_repository", name="export") as server:
        yield server


def verdicts(folder: Path) -> dict[str, tuple[str, str]]:
    return {model.model: (model.ours, model.real) for model in wb.verify(folder, download=True).models}


def test_a_backend_from_a_cell_answers_the_same_in_the_real_server(
    server: wb.Server, real_wheel: Path, tmp_path: Path
) -> None:
    library = wb.build_backend("string_processor", (ROOT / "tests/data/string_processor.cc").read_text())
    exported = wb.export(server.load("string_processor"), tmp_path)
    copied = exported.folder / "string_processor" / "libtriton_string_processor.so"
    assert copied.read_bytes() == Path(library.path).read_bytes()
    assert verdicts(tmp_path) == {"string_processor": ("answers", "answers the same")}


def test_the_samples_own_backends_answer_the_same_in_the_real_server(real_wheel: Path, tmp_path: Path) -> None:
    names = ("magika_features", "magika_labels", "resnet50_pixels")
    for name in names:
        shutil.copytree(ROOT / "model_repository" / name, tmp_path / name)
    fetch.build(names, tmp_path)
    (tmp_path / "magika_labels/labels.txt").write_text("".join(f"label{i} 0.5 other\n" for i in range(214)))
    assert verdicts(tmp_path) == dict.fromkeys(names, ("answers", "answers the same"))


def test_a_tuned_configuration_loads_in_the_real_server(server: wb.Server, real_wheel: Path, tmp_path: Path) -> None:
    study = wb.sweep(
        server.load("synthetic"),
        space={"max_batch_size": [4, 16], "preferred_batch_size": [[], [4]], "max_queue_delay_microseconds": [0, 300]},
        workload=Workload(rate=1000, duration_s=0.2),
        slo_p99_ms=50,
        strategy="grid",
        progress=False,
    )
    for trial in study.trials:
        wb.export(trial, tmp_path / str(trial.number), model=server.model("synthetic"))
        assert verdicts(tmp_path / str(trial.number)) == {"synthetic": ("answers", "answers the same")}


def test_an_export_is_measured_here_and_there_with_the_load_it_was_chosen_under(
    server: wb.Server, real_wheel: Path, tmp_path: Path
) -> None:
    study = wb.sweep(
        server.load("synthetic"),
        space={"max_batch_size": [8]},
        workload=Workload(rate=300, duration_s=0.5),
        slo_p99_ms=50,
        progress=False,
    )
    wb.export(study, tmp_path, model=server.model("synthetic"))
    (figures,) = wb.verify(tmp_path, download=True, measure=True).figures
    assert figures.workload == study.workload.longer(study.best.effort)
    assert figures.swept.throughput == study.best.point.throughput
    for one in (figures.here, figures.there):
        assert one.throughput > 0
        assert 0.9 < one.p50_ms < one.p99_ms


def test_a_model_that_the_real_server_refuses_is_told_with_its_words(real_wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "broken" / "1").mkdir(parents=True)
    (tmp_path / "broken" / "config.pbtxt").write_text(BROKEN)
    ours, real = verdicts(tmp_path)["broken"]
    assert ours.startswith("fails: ")
    assert real.startswith("fails: ")
