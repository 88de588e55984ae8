# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Loads that bring files along, here and in the real server."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.conformance.conftest import StartRealTriton
from tests.conformance.peer import RealTriton
from tests.conformance.side_by_side import ask, infer_own, infer_real, own_code
from tests.flow import model_text, write_repository
from workbench.config import complete, parse_config, to_json

pytest.importorskip("workbench._native", reason="no core: make build")

# Another one than the file's: where the two are equal the original goes on with the files that it has.
CONFIG = to_json(complete(parse_config(model_text(backend="witness", max_batch_size=4)), name="m"))
REFUSED = {
    "files without a configuration": ("", {"1/data": b"x"}),
    "out of the folder": (CONFIG, {"1/data": b"x", "../data": b"x"}),
    "out of the folder, by a detour": (CONFIG, {"1/data": b"x", "1/../../data": b"x"}),
    "no name": (CONFIG, {"": b"x"}),
    "a folder's name": (CONFIG, {"1/data/": b"x"}),
    "a file and a folder": (CONFIG, {"1/data": b"x", "1/data/more": b"x"}),
    "no version": (CONFIG, {"data": b"x"}),
    "no version, from the root": (CONFIG, {"/tmp/data": b"x"}),
    "no version: a leading zero": (CONFIG, {"01/data": b"x"}),
    "no version: a file": (CONFIG, {"1": b"x"}),
    "no JSON": ("{", {"1/data": b"x"}),
}
TAKEN = {
    "a version's file": {"1/data": b"a"},
    "files beside the versions": {"1/data": b"b", "labels.txt": b"x", "warmup/x": b"x"},
    "a configuration among the files, which is not looked at": {
        "1/data": b"c",
        "config.pbtxt": b"max_batch_size: many",
    },
    "a detour": {"1/more/../data": b"d"},
    "folders": {"1/data": b"e", "1/a/b/c": b"x"},
    "another version": {"7/data": b"f"},
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_repository(tmp_path_factory.mktemp("files"), {"m": model_text(backend="witness")})
    (folder / "m" / "1" / "data").write_bytes(b"0")
    return folder


@pytest.fixture(scope="module")
def real(real_triton: StartRealTriton, repository: Path, test_backends: Path) -> RealTriton:
    return real_triton(repository, test_backends, args=["--model-control-mode=explicit"])


@pytest.fixture(scope="module")
def own(repository: Path, test_backends: Path) -> Iterator[wb.Server]:
    with wb.Server(repository, name="files", backends=[test_backends]) as server:
        yield server


def load_both(real: RealTriton, own: wb.Server, config: str, files: dict[str, bytes]) -> tuple[int, int]:
    given = {"config": config} if config else {}
    parameters = {f"file:{path}": base64.b64encode(content).decode() for path, content in files.items()}
    there, _ = ask(real, "/v2/repository/models/m/load", {"parameters": {**given, **parameters}})
    here, _ = own_code(lambda: own.load("m", config=config or None, files=files))
    return there, here


def first_bytes(real: RealTriton, own: wb.Server) -> tuple[Any, Any]:
    """What the two models found in their files."""
    inputs = {"IN": np.zeros((1, 4), np.float32)}
    replies = infer_real(real, "m", inputs, ()), infer_own(own, "m", inputs, ())
    assert [status for status, _ in replies] == [200, 200]
    there, here = (chr(int(np.ravel(reply["OUT"][1])[0])) for _, reply in replies)
    return there, here


def test_what_can_not_be_is_refused_alike_and_what_served_goes_on(real: RealTriton, own: wb.Server) -> None:
    assert load_both(real, own, "", {}) == (200, 200)
    for case, (config, files) in REFUSED.items():
        there, here = load_both(real, own, config, files)
        assert here == there >= 400, case
    assert first_bytes(real, own) == ("0", "0")


@pytest.mark.parametrize("case", TAKEN)
def test_files_take_the_place_of_the_folders_until_the_next_plain_load(
    real: RealTriton, own: wb.Server, case: str
) -> None:
    assert load_both(real, own, CONFIG, TAKEN[case]) == (200, 200)
    (content,) = (content for path, content in TAKEN[case].items() if path.endswith("/data"))
    assert first_bytes(real, own) == (content.decode(), content.decode())
    assert load_both(real, own, "", {}) == (200, 200)
    assert first_bytes(real, own) == ("0", "0")


def test_same_files_again_do_nothing(own: wb.Server) -> None:
    files = {"1/data": b"s"}
    own.load("m", config=CONFIG, files=files)
    assert own.wait_settled()
    since = own.events().next_since
    own.load("m", config=CONFIG, files=dict(files))
    assert len(own.events(since=since).model_states) == 0
    own.load("m", config=CONFIG, files={"1/data": b"t"})
    assert len(own.events(since=since).model_states) > 0
