# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import shlex
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from workbench.config import parse_config
from workbench.errors import AlreadyExistsError
from workbench.export import export
from workbench.export.pipeline import docker_command
from workbench.export.record import read_record


def names(exported):
    return [str(file) for file in exported.files]


def test_a_model_is_exported_with_all_that_the_real_server_needs(served, tmp_path):
    exported = export(served, tmp_path / "out")
    assert names(exported) == [
        "m/1/weights.bin", "m/config.pbtxt", "m/labels.txt", "m/libtriton_echo.so", "check-models.yml",
    ]  # fmt: skip
    assert (tmp_path / "out/m/libtriton_echo.so").read_bytes() == b"\x7fELF"
    assert parse_config(exported.config_path.read_text()) == parse_config(served.config)


def test_a_trial_is_exported_with_its_configuration_and_a_report(best, served, tmp_path):
    exported = export(best, tmp_path / "out", model=served)
    assert parse_config(exported.config_path.read_text()) == parse_config(best.config)
    assert "m/REPORT.md" in names(exported)


def test_a_study_is_exported_with_its_best_trial(study, served, tmp_path):
    exported = export(study, tmp_path / "out", model=served)
    assert parse_config(exported.config_path.read_text()) == parse_config(study.best.config)


def test_a_model_without_files_gets_an_empty_version(served, tmp_path):
    bare = type(served)(served.name, served.config, type(served.spec)(path=str(tmp_path / "no"), backend="echo"),
                        served.library)  # fmt: skip
    export(bare, tmp_path / "out")
    assert (tmp_path / "out/m/1").is_dir()


def test_exporting_again_leaves_nothing_of_before(served, tmp_path):
    export(served, tmp_path / "out")
    (tmp_path / "out/m/old.txt").write_text("old")
    assert "m/old.txt" not in names(export(served, tmp_path / "out"))


def test_a_folder_that_is_no_model_is_not_overwritten(served, tmp_path):
    (tmp_path / "out/m").mkdir(parents=True)
    (tmp_path / "out/m/thesis.tex").write_text("important")
    with pytest.raises(AlreadyExistsError, match="is no model"):
        export(served, tmp_path / "out")
    assert (tmp_path / "out/m/thesis.tex").exists()


def test_the_folder_that_the_model_is_served_from_is_not_overwritten(served, tmp_path):
    path = Path(served.spec.path)
    before = sorted(path.rglob("*"))
    with pytest.raises(AlreadyExistsError, match="served from"):
        export(served, path.parent)
    assert sorted(path.rglob("*")) == before


def test_other_models_of_the_repository_stay(served, tmp_path):
    (tmp_path / "out/other").mkdir(parents=True)
    (tmp_path / "out/other/config.pbtxt").write_text("")
    assert export(served, tmp_path / "out").folder == Path(tmp_path / "out").resolve()
    assert (tmp_path / "out/other/config.pbtxt").exists()


def test_the_models_own_file_keeps_its_comments(study, served, tmp_path):
    exported = export(study, tmp_path / "out", model=served)
    assert "# the file as it was\n" in exported.config_path.read_text()


def test_a_studys_figures_are_kept_for_who_verifies_it(study, served, tmp_path):
    exported = export(study, tmp_path / "out", model=served)
    record = read_record(exported.config_path.parent)
    assert record.workload == study.workload
    assert record.slo_p99_ms == 5
    assert record.measured.p99_ms == study.best.point.p99_ms.value


def test_a_line_serves_it_in_the_real_servers_container(served, tmp_path):
    words = shlex.split(export(served, tmp_path / "out").docker_command)
    assert words[:2] == ["docker", "run"]
    assert f"{tmp_path / 'out'}:/models:ro" in words
    assert "--gpus" not in words


def test_a_model_on_a_gpu_asks_for_it():
    assert "--gpus all" in docker_command(Path("/m"), parse_config("instance_group [ { kind: KIND_GPU } ]"))


def test_the_source_of_a_backend_from_a_cell_goes_along_and_is_built_by_the_pipeline(served, tmp_path, monkeypatch):
    library = SimpleNamespace(path=served.library, source="int main() {}", language="c++")
    monkeypatch.setattr(import_module("workbench.export.repository"), "built", {"echo": library}.get)
    exported = export(served, tmp_path / "out")
    assert (tmp_path / "out/m/echo.cc").read_text() == "int main() {}"
    steps = yaml.safe_load((tmp_path / "out/check-models.yml").read_text())["jobs"]["check"]["steps"]
    assert any('{"m": "echo.cc"}' in step.get("run", "") for step in steps)
    assert "check-models.yml" in names(exported)


def test_the_pipeline_of_backends_without_source_only_checks(served, tmp_path):
    export(served, tmp_path / "out")
    workflow = yaml.safe_load((tmp_path / "out/check-models.yml").read_text())
    runs = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
    assert not any("build_backend" in run for run in runs)
    assert any("workbench verify" in run for run in runs)
