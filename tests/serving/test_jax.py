# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `jax`: what it answers is what jax and numpy compute; batching never compiles."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.python_models import parameter
from workbench.errors import WorkbenchError
from workbench.python_backend.jax_parameters import load_parameters, read_safetensors

pytest.importorskip("workbench._native", reason="no core: make build")
jax = pytest.importorskip("jax")

SAMPLES = Path(__file__).parents[2] / "model_repository"
TENSORS = """
input [ { name: "X" data_type: TYPE_%s dims: [ %s ] } ]
output [ { name: "Y" data_type: TYPE_%s dims: [ %s ] } ]
"""
FLOATS = "max_batch_size: 6\n" + TENSORS % ("FP32", "3", "FP32", "3")
DOUBLE = "def apply(params, inputs):\n    return inputs['X'] * 2\n"
Load = Callable[..., Any]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server([tmp_path, SAMPLES], name="jax") as server:
        yield server


@pytest.fixture
def load(server: wb.Server, tmp_path: Path) -> Load:
    def load(code: str, config: str = FLOATS) -> Any:
        (tmp_path / "m" / "1").mkdir(parents=True, exist_ok=True)
        (tmp_path / "m" / "1" / "apply.py").write_text(code)
        (tmp_path / "m" / "config.pbtxt").write_text(f'backend: "jax"\n{config}')
        return server.load("m")

    return load


def compile_seconds(server: wb.Server) -> float:
    found = re.search(r'jax_xla_compilation_time{model="\w+",version="1"} (\S+)', server.metrics())
    assert found
    return float(found[1])


def test_the_sample_answers_what_numpy_computes(server: wb.Server) -> None:
    rows = np.random.default_rng(3).normal(size=(5, 8)).astype(np.float32)
    got = server.load("jax_mlp").infer({"X": rows})["PROBABILITIES"]
    params = load_parameters(SAMPLES / "jax_mlp" / "1")
    hidden = np.maximum(rows @ params["hidden"]["kernel"] + params["hidden"]["bias"], 0)
    shares = np.exp(hidden @ params["scores"]["kernel"] + params["scores"]["bias"])
    np.testing.assert_allclose(got, shares / shares.sum(axis=1, keepdims=True), rtol=1e-4)


def test_no_request_waits_for_a_compiler(server: wb.Server) -> None:
    model = server.load("jax_mlp")
    before = compile_seconds(server)
    rows = np.ones((16, 8), np.float32)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: model.infer({"X": rows[: n % 16 + 1]}), range(64)))
    assert before > 0
    assert compile_seconds(server) == before
    calls = re.search(r'jax_predict_calls{model="jax_mlp",version="1"} (\d+)', server.metrics())
    assert calls
    assert int(calls[1]) == model.statistics().execution_count


def test_requests_of_one_batch_get_their_own_rows(load: Load) -> None:
    model = load(DOUBLE, FLOATS + "dynamic_batching { max_queue_delay_microseconds: 100000 }")
    with ThreadPoolExecutor(3) as pool:
        sent = [np.full((n, 3), n, np.float32) for n in (1, 2, 3)]
        got = list(pool.map(lambda rows: model.infer({"X": rows})["Y"], sent))
    for rows, answer in zip(sent, got, strict=True):
        np.testing.assert_array_equal(answer, rows * 2)


def test_shapes_that_vary_are_compiled_when_they_are_seen(load: Load) -> None:
    model = load(DOUBLE, "max_batch_size: 4" + TENSORS % ("FP32", "-1", "FP32", "-1"))
    for width in (2, 5, 2):
        np.testing.assert_array_equal(model.infer({"X": np.ones((3, width), np.float32)})["Y"], np.full((3, width), 2))


def test_wide_types_need_to_be_asked_for(load: Load) -> None:
    wide = "max_batch_size: 2" + TENSORS % ("INT64", "1", "INT64", "1")
    with pytest.raises(WorkbenchError, match="jax computes in 32 bits: declare INT32, or set the parameter enable_x64"):
        load(DOUBLE, wide)
    big = np.array([[2**40]], np.int64)
    assert load(DOUBLE, wide + parameter("enable_x64", "true")).infer({"X": big})["Y"].tolist() == [[2**41]]


def test_texts_are_turned_into_numbers_before_jax(load: Load) -> None:
    texts = "max_batch_size: 2" + TENSORS % ("STRING", "1", "INT32", "1")
    with pytest.raises(WorkbenchError, match=r"input 'X' is BYTES, and jax computes with numbers.* prepare\(inputs\)"):
        load(DOUBLE, texts)
    prepare = """
import numpy as np
def prepare(inputs):
    return {'X': np.array([[len(text)] for (text,) in inputs['X']], np.int32)}
"""
    assert load(DOUBLE + prepare, texts).infer({"X": [[b"abc"]]})["Y"].tolist() == [[6]]


@pytest.mark.parametrize(
    ("code", "config", "told"),
    [
        ("x = 1\n", FLOATS, r"apply.py has no function apply\(params, inputs\)"),
        ("def apply(p, i):\n    return i['Z']\n", FLOATS, r"KeyError: 'Z' \(.*apply.py, line 2, in apply"),
        (DOUBLE, FLOATS + parameter("batch_buckets", "1,9"), r"batch_buckets is '1,9'.*1,4,6"),
        ("def apply(p, i):\n    return i['X'], i['X']\n", FLOATS, r"gives 2 outputs, and the configuration declares Y"),
        ("def apply(p, i):\n    return {'Z': i['X']}\n", FLOATS, r"no output 'Y'; it gives Z"),
        ("def apply(p, i):\n    return i['X'] > 0\n", FLOATS, r"output 'Y' is BOOL, and the configuration .* FP32"),
    ],
    ids=("no-apply", "raises", "buckets", "too-many", "another", "type"),
)
def test_mistakes_are_told(load: Load, code: str, config: str, told: str) -> None:
    with pytest.raises(WorkbenchError, match=told):
        load(code, config).infer({"X": np.ones((1, 3), np.float32)})


def test_a_missing_apply_is_named(server: wb.Server, tmp_path: Path) -> None:
    (tmp_path / "m" / "1").mkdir(parents=True)
    (tmp_path / "m" / "config.pbtxt").write_text(f'backend: "jax"\n{FLOATS}')
    with pytest.raises(WorkbenchError, match=r"no file .*/m/1/apply.py"):
        server.load("m")


def test_a_broken_file_of_parameters_is_named(load: Load, tmp_path: Path) -> None:
    (tmp_path / "m" / "1").mkdir(parents=True)
    (tmp_path / "m" / "1" / "params.safetensors").write_bytes(b"no such file")
    with pytest.raises(WorkbenchError, match=r"params.safetensors can not be read"):
        load(DOUBLE)


def test_parameters_are_read_from_both_formats(load: Load, tmp_path: Path) -> None:
    msgpack = pytest.importorskip("msgpack")
    factor = np.array([3.0], np.float32)
    packed = msgpack.ExtType(1, msgpack.packb(((1,), "float32", factor.tobytes())))
    (tmp_path / "m" / "1").mkdir(parents=True)
    (tmp_path / "m" / "1" / "params.msgpack").write_bytes(msgpack.packb({"params": {"factor": packed}}))
    model = load("def apply(params, inputs):\n    return inputs['X'] * params['params']['factor']\n")
    assert model.infer({"X": np.ones((1, 3), np.float32)})["Y"].tolist() == [[3, 3, 3]]
    header = json.dumps({"a.b": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]}}).encode()
    content = struct.pack("<Q", len(header)) + header + struct.pack("<q", 7)
    assert read_safetensors(content)["a"]["b"].tolist() == [7]
