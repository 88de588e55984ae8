# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `onnxruntime`: models are completed, served, batched, and refused with what would be right."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import LoadError
from workbench.server.model import Model

pytest.importorskip("workbench._native", reason="no core: make build")
pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")

FLOAT, INT64, STRING, HALF, BFLOAT = 1, 7, 8, 10, 16
BATCH = "batch"
ROW = np.arange(4, dtype=np.float32).reshape(1, 4)
TENSORS = """
input [ { name: "A" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "B" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "SUM" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""


def tensor(name: str, kind: int, *dims: int | str) -> Any:
    return onnx.helper.make_tensor_value_info(name, kind, list(dims))


def model(
    nodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], inputs: Any, outputs: Any, *, opset: int = 13
) -> bytes:
    """A model file of these nodes, each its operator, inputs and outputs."""
    made = [onnx.helper.make_node(operator, list(takes), list(gives)) for operator, takes, gives in nodes]
    graph = onnx.helper.make_graph(made, "graph", inputs, outputs)
    imports = [onnx.helper.make_opsetid("", opset)]
    content: bytes = onnx.helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()
    return content


ADD_SUB = model(
    [("Add", ("A", "B"), ("SUM",)), ("Sub", ("A", "B"), ("DIFF",))],
    [tensor("A", FLOAT, BATCH, 4), tensor("B", FLOAT, BATCH, 4)],
    [tensor("SUM", FLOAT, BATCH, 4), tensor("DIFF", FLOAT, BATCH, 4)],
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name="onnx") as server:
        yield server


def write(repository: Path, content: bytes, config: str = "", *, name: str = "m") -> None:
    folder = repository / name / "1"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(content)
    if config:
        (folder.parent / "config.pbtxt").write_text(config)


Load = Callable[..., Model]


@pytest.fixture
def load(server: wb.Server, tmp_path: Path) -> Load:
    def loaded(content: bytes, config: str = "") -> Model:
        write(tmp_path, content, config)
        return server.load("m")

    return loaded


def test_a_file_alone_is_enough_and_batches_where_its_tensors_do(load: Load) -> None:
    spec = load(ADD_SUB).spec
    assert (spec.max_batch_size, spec.batching.dynamic) == (4, True)
    assert [(one.name, one.data_type, one.dims) for one in spec.inputs] == [("A", "FP32", (4,)), ("B", "FP32", (4,))]
    assert [one.name for one in spec.outputs] == ["SUM", "DIFF"]


def test_a_model_of_fixed_shape_does_not_batch(load: Load) -> None:
    relu = model([("Relu", ("X",), ("Y",))], [tensor("X", FLOAT, 2, 3)], [tensor("Y", FLOAT, 2, 3)])
    served = load(relu)
    assert (served.spec.max_batch_size, served.spec.inputs[0].dims) == (0, (2, 3))
    x = np.array([[-1, 2, 3], [4, 5, -6]], np.float32)
    np.testing.assert_array_equal(served.infer({"X": x})["Y"], np.maximum(x, 0))


def test_a_tensor_without_dimensions_is_one_of_a_single_element(load: Load) -> None:
    mean = model([("ReduceMax", ("X",), ("TOP",)), ("Add", ("TOP", "S"), ("Y",))],
        [tensor("X", FLOAT, 3), tensor("S", FLOAT)], [tensor("Y", FLOAT, 1)])  # fmt: skip
    served = load(mean)
    assert [one.dims for one in served.spec.inputs] == [(3,), (1,)]
    answer = served.infer({"X": np.array([1, 5, 2], np.float32), "S": np.array([10], np.float32)})
    assert answer["Y"].tolist() == [15]


def test_requests_that_meet_run_together_and_get_their_own_rows(load: Load) -> None:
    config = f'backend: "onnxruntime" max_batch_size: 8 {TENSORS} dynamic_batching {{ preferred_batch_size: [ 8 ] '
    config += "max_queue_delay_microseconds: 10000000 } instance_group [ { kind: KIND_CPU count: 1 } ]"
    served = load(ADD_SUB, config)

    def ask(rows: int) -> Any:
        a = np.full((rows, 4), rows, np.float32)
        return served.infer({"A": a, "B": np.ones((rows, 4), np.float32)})["SUM"]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, (1, 2, 2, 3)))
    for rows, answer in zip((1, 2, 2, 3), answers, strict=True):
        np.testing.assert_array_equal(answer, np.full((rows, 4), rows + 1, np.float32))
    assert served.statistics().execution_count == 1


def test_outputs_of_a_shape_that_only_the_run_knows_are_served(load: Load) -> None:
    nonzero = model([("NonZero", ("X",), ("Y",))], [tensor("X", FLOAT, "n")], [tensor("Y", INT64, 1, "m")])
    assert load(nonzero).infer({"X": np.array([0, 1, 0, 2], np.float32)})["Y"].tolist() == [[1, 3]]


def test_texts_go_in_and_out(load: Load) -> None:
    same = model([("Identity", ("X",), ("Y",))], [tensor("X", STRING, BATCH, 2)], [tensor("Y", STRING, BATCH, 2)])
    served = load(same)
    texts = np.array([["a", "bcd"], ["", "grün"]], object)
    assert served.infer({"X": texts})["Y"].tolist() == [[b"a", b"bcd"], [b"", "grün".encode()]]
    zeros = np.array([[b"a\0b", b"\0"]], object)
    assert served.infer({"X": zeros})["Y"].tolist() == zeros.tolist()


def test_halves_keep_their_type(load: Load) -> None:
    twice = model([("Add", ("X", "X"), ("Y",))], [tensor("X", HALF, BATCH, 2)], [tensor("Y", HALF, BATCH, 2)])
    answer = load(twice).infer({"X": np.ones((3, 2), np.float16)})["Y"]
    assert answer.dtype == np.float16
    assert (answer == 2).all()


def test_only_what_is_asked_for_is_answered(load: Load) -> None:
    reply = load(ADD_SUB).infer({"A": ROW, "B": ROW}, outputs=["DIFF"])
    assert list(reply) == ["DIFF"]


def test_a_state_is_handed_on_to_the_next_request_of_its_sequence(load: Load) -> None:
    running_sum = model(
        [("Add", ("X", "BEFORE"), ("AFTER",)), ("Identity", ("AFTER",), ("SUM",))],
        [tensor("X", FLOAT, BATCH, 1), tensor("BEFORE", FLOAT, BATCH, 1)],
        [tensor("AFTER", FLOAT, BATCH, 1), tensor("SUM", FLOAT, BATCH, 1)],
    )
    config = """
    backend: "onnxruntime" max_batch_size: 4
    input [ { name: "X" data_type: TYPE_FP32 dims: [ 1 ] } ]
    output [ { name: "SUM" data_type: TYPE_FP32 dims: [ 1 ] } ]
    sequence_batching { state [ {
      input_name: "BEFORE" output_name: "AFTER" data_type: TYPE_FP32 dims: [ 1 ]
      initial_state: { name: "zero" data_type: TYPE_FP32 dims: [ 1 ] zero_data: true }
    } ] }
    """
    served = load(running_sum, config)

    def add(sequence: int, value: float, *, start: bool = False) -> float:
        x = np.full((1, 1), value, np.float32)
        return float(served.infer({"X": x}, sequence=wb.Sequence(sequence, start=start))["SUM"][0, 0])

    sums = [add(1, 1, start=True), add(2, 10, start=True), add(1, 2), add(2, 20), add(1, 3)]
    assert sums == [1, 10, 3, 30, 6]


def test_a_state_of_texts_is_handed_on_too(load: Load) -> None:
    tensors = ("X", "BEFORE"), ("AFTER", "LINE")
    nodes = [("StringConcat", ("BEFORE", "X"), ("AFTER",)), ("Identity", ("AFTER",), ("LINE",))]
    inputs, outputs = ([tensor(name, STRING, BATCH, 1) for name in names] for names in tensors)
    config = """
    backend: "onnxruntime" max_batch_size: 4
    input [ { name: "X" data_type: TYPE_STRING dims: [ 1 ] } ]
    output [ { name: "LINE" data_type: TYPE_STRING dims: [ 1 ] } ]
    sequence_batching { state [ {
      input_name: "BEFORE" output_name: "AFTER" data_type: TYPE_STRING dims: [ 1 ]
      initial_state: { name: "nothing" data_type: TYPE_STRING dims: [ 1 ] zero_data: true }
    } ] }
    """
    served = load(model(nodes, inputs, outputs, opset=20), config)
    lines = [
        served.infer({"X": [[text]]}, sequence=wb.Sequence(number, start=start))["LINE"][0, 0]
        for number, text, start in ((1, "a", True), (2, "x", True), (1, "bc", False), (2, "y", False), (1, "d", False))
    ]
    assert lines == [b"a", b"x", b"abc", b"xy", b"abcd"]


def edited(old: str, new: str) -> str:
    text = f'backend: "onnxruntime" max_batch_size: 8 {TENSORS}'
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (edited('"SUM"', '"SUMM"'), "no output 'SUMM'; it has 'SUM', 'DIFF'"),
        (edited("TYPE_FP32", "TYPE_INT32"), "'A' is TYPE_INT32 in the configuration of model 'm' and TYPE_FP32"),
        (edited("dims: [ 4 ]", "dims: [ 4, 2 ]"), r"\[-1, 4, 2\], batch included, .* and \[-1, 4\] in its file"),
        (edited('"B"', '"C"'), "no input 'C'"),
        ('parameters { key: "execution_mode" value { string_value: "2" } }', "0 or 1"),
        ('parameters { key: "intra_op_thread_count" value { string_value: "many" } }', "no number"),
        (
            'optimization { execution_accelerators { gpu_execution_accelerator: [ { name: "tensor" } ] } }',
            "tensorrt or cuda; got 'tensor'",
        ),
        (
            'optimization { execution_accelerators { cpu_execution_accelerator: [ { name: "openvino" } ] } }',
            "'openvino'",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_what_would(load: Load, config: str, words: str) -> None:
    with pytest.raises(LoadError, match=words):
        load(ADD_SUB, config)


def test_an_input_that_nothing_feeds_is_named(load: Load) -> None:
    config = f'backend: "onnxruntime" max_batch_size: 8 {TENSORS}'.replace(
        ', { name: "B" data_type: TYPE_FP32 dims: [ 4 ] }', ""
    )
    with pytest.raises(LoadError, match="needs input 'B'"):
        load(ADD_SUB, config)


def test_a_model_that_can_not_batch_says_so(load: Load) -> None:
    relu = model([("Relu", ("X",), ("Y",))], [tensor("X", FLOAT, 2, 3)], [tensor("Y", FLOAT, 2, 3)])
    with pytest.raises(LoadError, match="max_batch_size 8, but the first dimension"):
        load(relu, "max_batch_size: 8")


def test_a_broken_file_is_refused_in_the_words_of_the_library_and_the_others_serve_on(
    load: Load, server: wb.Server, tmp_path: Path
) -> None:
    served = load(ADD_SUB)
    write(tmp_path, b"no model", name="broken")
    with pytest.raises(LoadError, match=r"onnxruntime error \d+: .*broken"):
        server.load("broken")
    np.testing.assert_array_equal(served.infer({"A": ROW, "B": ROW})["SUM"], 2 * ROW)


def test_a_library_that_is_not_there_is_told_with_its_extra(tmp_path: Path) -> None:
    # In a process of its own: the library is opened once.
    script = f"""
import workbench as wb
settings = {{"onnxruntime": {{"library": "/nowhere.so"}}}}
with wb.Server({str(tmp_path)!r}, name="none", backend_config=settings) as server:
    try:
        server.load("m")
    except wb.LoadError as exc:
        print(exc)
"""
    (tmp_path / "m/1").mkdir(parents=True)
    (tmp_path / "m/1/model.onnx").write_bytes(ADD_SUB)
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert "pip install 'workbench-serving[onnxruntime]'" in told.stdout
