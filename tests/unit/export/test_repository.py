# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from workbench.config import parse_config
from workbench.errors import AlreadyExistsError
from workbench.export import export


def names(exported):
    return [str(file) for file in exported.files]


def test_a_model_is_exported_with_all_that_the_real_server_needs(served, tmp_path):
    exported = export(served, tmp_path / "out")
    assert names(exported) == ["m/1/weights.bin", "m/config.pbtxt", "m/labels.txt", "m/libtriton_echo.so"]
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


def test_other_models_of_the_repository_stay(served, tmp_path):
    (tmp_path / "out/other").mkdir(parents=True)
    (tmp_path / "out/other/config.pbtxt").write_text("")
    assert export(served, tmp_path / "out").folder == Path(tmp_path / "out").resolve()
    assert (tmp_path / "out/other/config.pbtxt").exists()
