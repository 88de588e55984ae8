# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The metrics page has the names, labels and types of the original's, and counts the same, after the same requests."""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Queue
from time import monotonic
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc as grpcclient
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

import workbench as wb
from tests import python_models
from tests.conformance.both_servers import add_model
from tests.conformance.conftest import StartRealTriton
from tests.conformance.generated import Sent
from tests.conformance.real_server import Real
from tests.python_models import eventually, loader

pytest.importorskip("workbench._native", reason="no core: make build")

ROOT = Path(__file__).parents[2]
MODEL = """
backend: "echo" max_batch_size: 8 metric_tags { key: "team" value: "blue" }
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
"""
SENT = (
    Sent({"INPUT0": np.zeros((1, 16), np.float32)}),
    Sent({"INPUT0": np.zeros((4, 16), np.float32)}),
    Sent({"INPUT0": np.zeros((1, 7), np.float32)}),
)
# What the release that answers here does not have: names that came later, and our own.
NOT_THERE = {"nv_model_load_duration_secs"}
SUMMARIES = {"summary_latencies": "true", "summary_quantiles": "0.5:0.05,0.99:0.001"}
COUNTED = (
    "nv_inference_request_success",
    "nv_inference_count",
    "nv_inference_exec_count",
    "nv_inference_request_failure",
)


def families(page: str) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(page)}


def shape(found: dict[str, Metric]) -> dict[str, tuple[str, set[tuple[str, frozenset[str]]]]]:
    """Type of each family, and the names of its samples with those of their labels."""
    return {
        name: (family.type, {(sample.name, frozenset(sample.labels)) for sample in family.samples})
        for name, family in found.items()
        # The last is of a backend that another test may have left in this process.
        if name not in NOT_THERE and not name.startswith(("nv_gpu", "nv_energy", "nv_trt_llm")) and family.samples
    }


def counts(found: dict[str, Metric]) -> dict[tuple[str, str], float]:
    return {
        (sample.name, sample.labels.get("reason", "")): sample.value
        for name in COUNTED
        for sample in found[name].samples
    }


@pytest.fixture(scope="module")
def pages(
    tmp_path_factory: pytest.TempPathFactory, echo_backends: Path, real_triton: StartRealTriton
) -> Iterator[tuple[dict[str, Metric], dict[str, Metric]]]:
    repository = tmp_path_factory.mktemp("models")
    add_model(repository, "m", MODEL)
    flags = [f"--metrics-config={name}={value}" for name, value in SUMMARIES.items()]
    real = Real(lambda: real_triton(repository, echo_backends, args=flags))
    with wb.Server(repository, name="metrics", backends=[echo_backends], metrics_config=SUMMARIES) as server:
        model = server.load("m")
        for sent in SENT:
            real.infer("m", sent)
            try:
                model.infer(sent.inputs)
            except wb.InvalidArgumentError:
                continue
        yield families(server.metrics()), families(real_page(real))


def real_page(real: Real) -> str:
    """Once it has counted: backends report to it after they have answered."""
    end = monotonic() + 5
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{real.server.metrics}/metrics", timeout=30) as reply:
            page = reply.read().decode()
        if 'nv_inference_exec_count{_team="blue",model="m",version="1"} 2' in page or monotonic() > end:
            return page


def test_names_types_and_labels_are_the_originals(pages: Any) -> None:
    own, real = pages
    assert shape(own) == shape(real)


def test_counts_are_the_originals(pages: Any) -> None:
    own, real = pages
    assert counts(own) == counts(real)


def test_statistics_have_the_shape_of_the_originals(
    tmp_path: Path, echo_backends: Path, real_triton: StartRealTriton
) -> None:
    add_model(tmp_path, "m", MODEL)
    real = Real(lambda: real_triton(tmp_path, echo_backends))
    with wb.Server(tmp_path, name="statistics", backends=[echo_backends]) as server:
        server.load("m").infer(SENT[0].inputs)
        real.infer("m", SENT[0])
        end = monotonic() + 2
        while real.counts("m")["1"]["execution_count"] < 1 and monotonic() < end:  # reported after the answer
            pass
        own = json.loads(server.describe("model_statistics", model="m"))
    with urllib.request.urlopen(f"{real.server.url}/v2/models/m/stats", timeout=30) as reply:
        assert structure(own) == structure(json.load(reply))


def structure(value: Any) -> Any:
    """The value with its numbers replaced by their types."""
    if isinstance(value, dict):
        return {name: structure(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [structure(inner) for inner in value]
    return type(value).__name__ if not isinstance(value, str) else value


COUNTDOWN = """
backend: "countdown" model_transaction_policy { decoupled: true }
input [ { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
"""


@pytest.fixture(scope="module")
def countdown_backends(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    folder = tmp_path_factory.mktemp("backends")
    library = folder / "countdown" / "libtriton_countdown.so"
    library.parent.mkdir()
    flags = ["-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{ROOT}/native/include"]
    subprocess.run(["g++", *flags, f"{ROOT}/tests/data/countdown.cc", "-o", str(library)], check=True)
    return folder


def test_responses_are_counted_as_the_original_counts_them(
    tmp_path: Path, countdown_backends: Path, real_triton: StartRealTriton
) -> None:
    add_model(tmp_path, "m", COUNTDOWN)
    real = Real(lambda: real_triton(tmp_path, countdown_backends))
    numbers = [np.array([number], np.int32) for number in (5, 3, 1)]
    with wb.Server(tmp_path, name="responses", backends=[countdown_backends]) as server:
        model = server.load("m")
        for number in numbers:
            assert len(list(model.stream({"IN": number}))) == number[0]
            assert streamed(real, number) == number[0]
        own = counted(json.loads(server.describe("model_statistics", model="m")))
        assert own == counted_of_python(server, tmp_path, [int(number[0]) for number in numbers])
    with urllib.request.urlopen(f"{real.server.url}/v2/models/m/stats", timeout=30) as reply:
        assert own == counted(json.load(reply))
    assert own["0"]["success"] == 3


def counted_of_python(server: wb.Server, repository: Path, numbers: Sequence[int]) -> dict[str, dict[str, int]]:
    """What a model in Python that answers as the backend says it does is counted with."""
    model = loader(server, repository)(python_models.COUNTDOWN, python_models.DECOUPLED, name="python")
    for number in numbers:
        with suppress(wb.WorkbenchError):  # the third response
            list(model.stream({"IN": np.array([number], np.float32)}))
    eventually(lambda: len(model.statistics().response_stats) == max(numbers))
    return counted(json.loads(server.describe("model_statistics", model="python")))


def streamed(real: Real, number: np.ndarray[Any, Any]) -> int:
    """How many responses the real server sends."""
    answers: Queue[Any] = Queue()
    tensor = grpcclient.InferInput("IN", [1], "INT32")
    tensor.set_data_from_numpy(number)
    with grpcclient.InferenceServerClient(f"127.0.0.1:{real.server.grpc}") as client:
        client.start_stream(lambda result, error: answers.put((result, error)))
        client.async_stream_infer("m", [tensor], enable_empty_final_response=True)
        count = 0
        while not answers.get(timeout=30)[0].get_response().parameters["triton_final_response"].bool_param:
            count += 1
        return count


def counted(statistics: Any) -> dict[str, dict[str, int]]:
    """Counts of each kind of response, by the place in the request."""
    (model,) = statistics["model_stats"]
    return {
        place: {kind: told["count"] for kind, told in kinds.items()} for place, kinds in model["response_stats"].items()
    }
