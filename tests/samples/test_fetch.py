# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`fetch.py` takes what was meant, and nothing else, without a network here: the wheel is made by the test."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from model_repository import fetch

VAD = fetch.SAMPLES["silero_vad"].members[0].path


@pytest.fixture
def wheel(tmp_path: Path) -> Callable[..., zipfile.ZipFile]:
    """A wheel of these files: `wheel({path: content})`."""

    def made(files: dict[str, bytes]) -> zipfile.ZipFile:
        with zipfile.ZipFile(tmp_path / "made.whl", "w") as archive:
            for path, content in files.items():
                archive.writestr(path, content)
        return zipfile.ZipFile(tmp_path / "made.whl")

    return made


def test_an_ensemble_brings_its_steps_once() -> None:
    names = fetch.with_steps(["magika", "magika_model", "silero_vad"])
    assert names == ["magika_features", "magika_model", "magika_labels", "magika", "silero_vad"]


def test_a_name_that_is_no_sample_is_told_with_those_that_are() -> None:
    with pytest.raises(SystemExit, match="no sample 'magica' is fetched; there are magika, "):
        fetch.with_steps(["magica"])


def test_another_file_than_the_one_meant_is_refused_and_not_kept(
    wheel: Callable[..., zipfile.ZipFile], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=f"{VAD} of silero-vad==.* has the hash .*, not 1a153a22f4509e29"):
        fetch.take("silero_vad", wheel({VAD: b"another"}), tmp_path)
    assert not (tmp_path / "silero_vad").exists()


def test_labels_are_written_with_their_thresholds(wheel: Callable[..., zipfile.ZipFile], tmp_path: Path) -> None:
    config = {
        "target_labels_space": ["png", "latex", "randombytes"],
        "thresholds": {"latex": 0.95},
        "medium_confidence_threshold": 0.5,
        "overwrite_map": {"randombytes": "unknown"},
    }
    types = {"png": {"is_text": False}, "latex": {"is_text": True}, "unknown": {"is_text": False}}
    files = {
        "magika/models/standard_v3_3/config.min.json": json.dumps(config).encode(),
        "magika/config/content_types_kb.min.json": json.dumps(types).encode(),
    }
    fetch.take("magika_labels", wheel(files), tmp_path)
    lines = (tmp_path / "magika_labels/labels.txt").read_text().splitlines()
    assert lines == ["png 0.5 unknown", "latex 0.95 txt", "unknown 0.5 unknown"]
    assert fetch.is_complete("magika_labels", tmp_path)


def test_a_file_in_use_is_replaced_and_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "sample" / "file"
    fetch.put(path, b"before")
    with path.open("rb") as used:
        fetch.put(path, b"after")
        assert used.read() == b"before"
    assert path.read_bytes() == b"after"
