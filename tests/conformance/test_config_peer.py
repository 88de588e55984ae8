# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations in the real server: what it refuses, how it completes the rest, and how its JSON shows them."""

from __future__ import annotations

import json
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.config_cases import STATUS, ConfigCase, config_cases
from tests.conformance.conftest import StartRealTriton
from tests.conformance.peer import RealTriton
from workbench.config import complete, from_json, parse_config, to_json

CASES = config_cases()
BY_FILE = {
    "onnxruntime": ("", "model.onnx"),
    "tensorrt": ("", "model.plan"),
    "pytorch": ("", "model.pt"),
    "openvino": ("", "model.xml"),
    "tensorflow": ("", "model.savedmodel"),
    "platform_onnx": ('platform: "onnxruntime_onnx"', "model.onnx"),
    "platform_plan": ('platform: "tensorrt_plan"', "model.plan"),
    "backend_pt": ('backend: "pytorch"', "model.pt"),
    "other_file": ('backend: "onnxruntime" default_model_filename: "x.onnx"', "x.onnx"),
    "backend_before_file": ('backend: "echo"', "model.onnx"),
    "two_instances": ("instance_group { count: 3 }, instance_group { kind: KIND_MODEL }", "model.onnx"),
}
"""Configurations that the server completes from the name of a file, by the model's name."""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    for number, case in enumerate(CASES):
        _add_model(folder, f"m{number}", case.text_of(f"m{number}"))
    for name, (text, file) in BY_FILE.items():
        _add_model(folder, name, text)
        place = folder / name / "1" / file
        place.mkdir() if file.endswith(".savedmodel") else place.touch()
    return folder


def _add_model(folder: Path, name: str, text: str) -> None:
    (folder / name / "1").mkdir(parents=True)
    (folder / name / "config.pbtxt").write_text(text)


@pytest.fixture(scope="module")
def backends(echo_backends: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One library under the names of the backends that the server knows by file."""
    folder = tmp_path_factory.mktemp("known_backends")
    for name in ("echo", "onnxruntime", "tensorrt", "pytorch", "openvino", "tensorflow"):
        (folder / name).mkdir()
        shutil.copy(echo_backends / "echo" / "libtriton_echo.so", folder / name / f"libtriton_{name}.so")
    return folder


class Oracle:
    """The real server, started again when it is gone: it does not survive every failed load."""

    def __init__(self, start: Callable[[], RealTriton]) -> None:
        self._start = start
        self._server = start()

    def load(self, model: str, body: dict[str, Any] | None = None) -> int:
        """Status of the answer to a request to load a model."""
        for _ in range(4):
            try:
                return self._post(f"/v2/repository/models/{model}/load", body or {})
            except OSError:
                self._server = self._start()
        # Some refusals of sequence states end it more often than not: then there is no answer to compare with.
        pytest.skip(f"the real server does not survive loading {model}")

    def _post(self, path: str, body: dict[str, Any]) -> int:
        request = urllib.request.Request(f"{self._server.url}{path}", data=json.dumps(body).encode(), method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def config(self, model: str) -> Any:
        """The configuration of a loaded model."""
        with urllib.request.urlopen(f"{self._server.url}/v2/models/{model}/config", timeout=30) as reply:
            return json.load(reply)


@pytest.fixture(scope="module")
def oracle(real_triton: StartRealTriton, repository: Path, backends: Path) -> Oracle:
    return Oracle(lambda: real_triton(repository, backends, args=["--model-control-mode=explicit"]))


def _comparable(value: Any) -> Any:
    """The real server prints some 64-bit integers as strings, and lacks fields of newer releases."""
    if isinstance(value, dict):
        return {name: _comparable(element) for name, element in value.items() if name != "max_inflight_requests"}
    if isinstance(value, list):
        return [_comparable(element) for element in value]
    return int(value) if isinstance(value, str) and value.isdigit() else value


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_real_server_judges_as_the_case_says(oracle: Oracle, number: int) -> None:
    case: ConfigCase = CASES[number]
    model = f"m{number}"
    assert oracle.load(model) == STATUS[case.outcome]
    if case.outcome == "accepted":
        ours = json.loads(to_json(complete(parse_config(case.text_of(model)), name=model)))
        assert _comparable(ours) == _comparable(oracle.config(model))


@pytest.mark.parametrize("model", BY_FILE)
def test_real_server_completes_by_file_as_we_do(oracle: Oracle, model: str) -> None:
    text, file = BY_FILE[model]
    assert oracle.load(model) == 200
    ours = json.loads(to_json(complete(parse_config(text), name=model, files=[file])))
    assert _comparable(ours) == _comparable(oracle.config(model))


def test_real_server_takes_our_json_in_a_load_request(oracle: Oracle) -> None:
    accepted = next(number for number, case in enumerate(CASES) if case.outcome == "accepted")
    model = f"m{accepted}"
    config = complete(parse_config(CASES[accepted].text_of(model)), name=model)
    config.max_batch_size = 7
    assert oracle.load(model, {"parameters": {"config": to_json(config)}}) == 200
    assert oracle.config(model)["max_batch_size"] == 7


def test_json_of_the_real_server_is_read_as_a_configuration(oracle: Oracle) -> None:
    oracle.load("onnxruntime")
    assert from_json(oracle.config("onnxruntime")).backend == "onnxruntime"
