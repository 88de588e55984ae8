# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import base64
import json

import numpy as np
import pytest

from workbench.config import parse_config
from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.load import read_input_data, write_input_data

CONFIG = parse_config("""
name: "m" backend: "b" max_batch_size: 8
input [
  { name: "X" data_type: TYPE_FP32 dims: [ 2, 2 ] },
  { name: "N" data_type: TYPE_INT32 dims: [ -1 ] optional: true },
  { name: "TEXT" data_type: TYPE_STRING dims: [ -1, -1 ] optional: true }
]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 1 ] } ]
""")


@pytest.fixture
def read(tmp_path):
    def read_values(*entries):
        path = tmp_path / "inputs.json"
        path.write_text(json.dumps({"data": entries}))
        return read_input_data(path, CONFIG)

    return read_values


def test_flat_content_gets_the_declared_shape_and_a_batch_of_one(read):
    data = read({"X": [1, 2, 3, 4]})
    np.testing.assert_array_equal(data.samples[0]["X"], np.array([[[1, 2], [3, 4]]], np.float32))
    assert data.streams == ()


def test_the_number_of_elements_tells_an_open_dimension(read):
    assert read({"X": [0] * 4, "N": [5, 6, 7]}).samples[0]["N"].tolist() == [[5, 6, 7]]


def test_a_shape_may_be_given(read):
    sample = read({"X": [0] * 4, "TEXT": {"content": ["a", "b"], "shape": [2, 1]}}).samples[0]
    assert sample["TEXT"].tolist() == [[[b"a"], [b"b"]]]


def test_base64_holds_the_bytes_of_a_tensor(read):
    raw = np.arange(4, dtype=np.float32).tobytes()
    assert read({"X": {"b64": base64.b64encode(raw).decode()}}).samples[0]["X"].ravel().tolist() == [0, 1, 2, 3]


def test_a_list_of_requests_is_a_stream(read):
    data = read([{"X": [0] * 4}, {"X": [1] * 4}], [{"X": [2] * 4}])
    assert len(data.samples) == 3
    assert data.streams == ((0, 1), (2,))


def test_what_is_written_is_read_back(tmp_path):
    samples = [
        {"X": np.random.default_rng(1).random((1, 2, 2)).astype(np.float32)},
        {"X": np.ones((1, 2, 2), np.float32), "TEXT": np.array([[[b"ab", b""]]], dtype=object)},
    ]
    path = write_input_data(tmp_path / "recorded.json", samples, is_batched=True)
    back = read_input_data(path, CONFIG).samples
    np.testing.assert_array_equal(back[0]["X"], samples[0]["X"])
    assert back[1]["TEXT"].tolist() == [[[b"ab", b""]]]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"Y": [1], "X": [0] * 4}, r"data\[0\]: the model has no input 'Y'; its inputs are X, N, TEXT"),
        ({"N": [1]}, r"needs input 'X'"),
        ({"X": [1, 2, 3]}, r"data\[0\].X holds no FP32 of shape \[2, 2\]"),
        ({"X": ["a"] * 4}, r"data\[0\].X holds no FP32"),
        ({"X": {"b64": "#"}}, r"data\[0\].X holds no FP32"),
        ({"X": [0] * 4, "TEXT": ["a"]}, r'several dimensions vary, so it needs a "shape"'),
        ("X", r"data\[0\] is no mapping"),
    ],
)
def test_what_does_not_fit_the_model_is_refused_with_its_place(read, entry, message):
    with pytest.raises(InvalidArgumentError, match=message):
        read(entry)


def test_a_file_without_data_is_refused(tmp_path):
    path = tmp_path / "inputs.json"
    for text in ("[]", '{"data": []}', "{"):
        path.write_text(text)
        with pytest.raises(InvalidArgumentError):
            read_input_data(path, CONFIG)
    with pytest.raises(NotFoundError):
        read_input_data(tmp_path / "none.json", CONFIG)
