# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `onnxruntime`: what a configuration and the backend's settings make of a model, and what each error says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from benchmarks.load_rounds import run
from benchmarks.onnx_overhead import small_model
from tests.serving.test_batching import answers
from tests.serving.test_onnxruntime import ADD_SUB, BATCH, BFLOAT, FLOAT, ROW, load, model, server, tensor, write
from workbench.errors import InvalidArgumentError, LoadError
from workbench.server.model import Model

onnx = pytest.importorskip("onnx")
__all__ = ["load", "server"]  # fixtures

DATA = Path(__file__).parents[1] / "data"
Load = Callable[..., Model]
RELU = model([("Relu", ("X",), ("Y",))], [tensor("X", FLOAT, "n")], [tensor("Y", FLOAT, "n")])
RAGGED = """
backend: "onnxruntime" max_batch_size: 8
input [ { name: "X" data_type: TYPE_FP32 dims: [ -1 ] allow_ragged_batch: true } ]
output [ { name: "Y" data_type: TYPE_FP32 dims: [ -1 ] } ]
batch_output [ { kind: BATCH_SCATTER_WITH_INPUT_SHAPE target_name: "Y" source_input: "X" } ]
instance_group [ { kind: KIND_CPU count: 1 } ]
dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 5000000 }
"""


def changed(**fields: Any) -> bytes:
    """ADD_SUB with other fields: `opset`, `ir_version`, `operator`."""
    message = onnx.ModelProto.FromString(ADD_SUB)
    if "opset" in fields:
        message.opset_import[0].version = fields["opset"]
    if "operator" in fields:
        message.graph.node[0].op_type = fields["operator"]
    message.ir_version = fields.get("ir_version", message.ir_version)
    content: bytes = message.SerializeToString()
    return content


def in_a_process(tmp_path: Path, script: str) -> str:
    """What a script says that finds the model ADD_SUB as `m` in `folder`; the library is opened once in a process."""
    write(tmp_path, ADD_SUB)
    head = f"""
import os
import workbench as wb
folder = {str(tmp_path)!r}
"""
    command = [sys.executable, "-c", head + script]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_a_ragged_batch_is_dealt_by_the_shapes_of_its_inputs(load: Load) -> None:
    served = load(RELU, RAGGED)
    inputs = [np.array(rows, np.float32) for rows in ([[1, -2], [3, 4]], [[-5]], [[6, 7, -8]])]
    for one, reply in zip(inputs, answers(served, [{"X": one} for one in inputs]), strict=True):
        np.testing.assert_array_equal(reply["Y"], np.maximum(one, 0))
    assert served.statistics().execution_count == 1
    np.testing.assert_array_equal(served.infer({"X": inputs[0]})["Y"], np.maximum(inputs[0], 0))


def test_a_ragged_batch_of_another_number_of_elements_is_an_error(load: Load) -> None:
    top = model([("ReduceMax", ("X",), ("Y",))], [tensor("X", FLOAT, "n")], [tensor("Y", FLOAT, 1)])
    with pytest.raises(wb.WorkbenchError, match=r"'Y' is \[1\], and 2 elements are dealt by the shapes of 'X'"):
        load(top, RAGGED).infer({"X": np.ones((1, 2), np.float32)})


def test_operators_of_a_library_are_found_in_the_models_folder(load: Load, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", str(DATA / "custom_operator.cc")]
    subprocess.run([*command, "-o", str(tmp_path / "m/libtriple.so")], check=True)
    message = onnx.ModelProto.FromString(
        model([("Triple", ("X",), ("Y",))], [tensor("X", FLOAT, BATCH, 2)], [tensor("Y", FLOAT, BATCH, 2)])
    )
    message.graph.node[0].domain = "tests"
    message.opset_import.append(onnx.helper.make_opsetid("tests", 1))
    served = load(message.SerializeToString(), 'model_operations { op_library_filename: "libtriple.so" }')
    np.testing.assert_array_equal(served.infer({"X": np.ones((3, 2), np.float32)})["Y"], np.full((3, 2), 3))


def test_bfloats_keep_their_type(load: Load) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    same = model([("Identity", ("X",), ("Y",))], [tensor("X", BFLOAT, BATCH, 2)], [tensor("Y", BFLOAT, BATCH, 2)])
    served = load(same)
    x = np.array([[1.5, -2], [3, 0.25]], ml_dtypes.bfloat16)
    assert served.spec.inputs[0].data_type == "BF16"
    np.testing.assert_array_equal(served.infer({"X": x})["Y"], x)


THREADS = """
def name(thread):
    return open(f"/proc/self/task/{thread}/comm").read()
def threads():
    return sum(not name(thread).startswith("wb") for thread in os.listdir("/proc/self/task"))
def added(settings, config):
    with wb.Server(folder, name="threads", backend_config={"onnxruntime": settings}) as server:
        before = threads()
        server.load("m", config='backend: "onnxruntime" ' + config)
        return threads() - before
"""


def test_instances_on_the_processor_share_a_session_and_its_threads(tmp_path: Path) -> None:
    script = """
threads_of = 'parameters { key: "intra_op_thread_count" value { string_value: "4" } } '
counts = [added({}, threads_of + "instance_group [ { kind: KIND_CPU count: %d } ]" % count) for count in (1, 3, 1)]
print(*counts)
"""
    counts = [int(count) for count in in_a_process(tmp_path, THREADS + script).split()]
    # A session of its own would be three threads more for each instance; Python may start one of its own.
    assert max(counts) - min(counts) < 3, counts


def test_threads_of_the_process_take_the_place_of_a_sessions_own(tmp_path: Path) -> None:
    script = """
settings = {"enable-global-threadpool": "1", "intra_op_thread_count": "4"}
print(added(settings, ""), added(settings, ""))
"""
    first, second = map(int, in_a_process(tmp_path, THREADS + script).split())
    assert first - second >= 3 > second, "the first model makes threads for the process, the second none"


def test_threads_of_the_process_can_not_be_had_later(tmp_path: Path) -> None:
    script = """
added({}, "")
try:
    added({"enable-global-threadpool": "1"}, "")
except wb.LoadError as exc:
    print(exc)
"""
    assert "came too late" in in_a_process(tmp_path, THREADS + script)


def test_rounds_of_loading_and_unloading_leave_no_memory_behind(server: wb.Server, tmp_path: Path) -> None:
    width, rounds = 768, 25
    write(tmp_path, small_model(width))
    found = run(server, "m", {"X": np.ones((1, width), np.float32)}, rounds)
    one = 2 * width * width * 4  # bytes of the weights
    assert found.rise < 3 * one, f"{found.rise / one:.1f} models more in {rounds} rounds"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (changed(opset=99), "Opset 99 .* newer than ONNX Runtime .* older opset"),
        (changed(ir_version=99), "IR version: 99.* newer than ONNX Runtime"),
        (changed(operator="Nonsense"), "No Op registered for Nonsense.*op_library_filename"),
        (ADD_SUB[:60], "the file is damaged, or no ONNX model"),
        (b"", "the file is damaged, or no ONNX model"),
    ],
    ids=["opset", "ir_version", "operator", "cut", "empty"],
)
def test_a_file_that_the_library_refuses_is_told_with_what_to_do(load: Load, content: bytes, words: str) -> None:
    with pytest.raises(LoadError, match=f"(?s){words}"):
        load(content)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no CUDAExecutionProvider: it comes with the wheel onnxruntime-gpu; instances of KIND_CPU"),
        (
            'optimization { execution_accelerators { gpu_execution_accelerator: [ { name: "tensorrt" } ] } }',
            "no TensorrtExecutionProvider: it comes with the wheel onnxruntime-gpu and TensorRT",
        ),
        (
            'parameters { key: "cudnn_conv_algo_search" value { string_value: "3" } }',
            "'cudnn_conv_algo_search' is 0 to 2; got 3",
        ),
        (
            (
                'optimization { execution_accelerators { gpu_execution_accelerator: [ { name: "tensorrt" '
                'parameters { key: "precision_mode" value: "FP8" } } ] } }'
            ),
            "FP32, FP16, BF16 or INT8; got FP8",
        ),
    ],
)
def test_a_provider_that_the_wheel_has_not_is_told_with_the_wheel_that_has(load: Load, config: str, words: str) -> None:
    pytest.importorskip("onnxruntime")
    group = 'backend: "onnxruntime" instance_group [ { kind: KIND_GPU count: 1 gpus: [ 0 ] } ] '
    with pytest.raises(LoadError, match=words):
        load(ADD_SUB, group + config)


def test_a_library_of_operators_that_is_not_there_is_told_with_its_place(load: Load, tmp_path: Path) -> None:
    with pytest.raises(
        LoadError, match=f"(?s)names libnone.so, .*its own place is {tmp_path}/m/libnone.so.*cannot open"
    ):
        load(ADD_SUB, 'model_operations { op_library_filename: "libnone.so" }')


def test_a_file_that_is_not_there_is_told_with_its_place(load: Load, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=f"no file {tmp_path}/m/other.onnx"):
        load(ADD_SUB, 'default_model_filename: "other.onnx" backend: "onnxruntime"')


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"A": ROW}, "input 'B' of model 'm' is missing"),
        ({"A": ROW, "B": ROW.astype(np.float64)}, "'B' of model 'm' is FP32, got FP64"),
        ({"A": ROW, "B": ROW[0]}, r"'B' of model 'm' has shape \[-1,4\], got \[4\]"),
        ({"A": ROW, "B": ROW[:, :3]}, r"'B' of model 'm' has shape \[-1,4\], got \[1,3\]"),
    ],
    ids=["missing", "type", "rank", "shape"],
)
def test_a_request_that_does_not_fit_is_refused(load: Load, inputs: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        load(ADD_SUB).infer(inputs)
