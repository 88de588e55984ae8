# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from workbench.config import parse_config, warmup_specs
from workbench.errors import ConfigError

TENSORS = """
max_batch_size: 8
input [ { name: "A" data_type: TYPE_FP32 dims: [ 2 ] }, { name: "B" data_type: TYPE_STRING dims: [ 2 ] } ]
"""


def sample(*inputs: str, more: str = "batch_size: 2") -> str:
    return TENSORS + f'model_warmup [ {{ name: "w" {more} {" ".join(inputs)} }} ]'


def given(name: str, data_type: str, data: str, dims: str = "2") -> str:
    return f'inputs {{ key: "{name}" value {{ data_type: TYPE_{data_type} dims: [ {dims} ] {data} }} }}'


def test_zeros_have_the_size_of_the_tensor_and_a_batch_of_one(tmp_path: Path) -> None:
    (spec,) = warmup_specs(parse_config(sample(given("A", "FP32", "zero_data: true"))), tmp_path)
    assert (spec.name, spec.batch_size, spec.count) == ("w", 2, 1)
    (tensor,) = spec.inputs
    assert (tensor.name, tensor.data_type, tensor.shape, tensor.data) == ("A", "FP32", (1, 2), bytes(8))


def test_strings_are_empty_ones(tmp_path: Path) -> None:
    for kind in ("zero_data", "random_data"):
        (spec,) = warmup_specs(parse_config(sample(given("B", "STRING", f"{kind}: true"))), tmp_path)
        assert spec.inputs[0].data == bytes(8)


def test_random_bytes_are_the_same_every_time(tmp_path: Path) -> None:
    config = parse_config(sample(given("A", "FP32", "random_data: true")))
    (one,), (other,) = warmup_specs(config, tmp_path), warmup_specs(config, tmp_path)
    assert one == other
    assert one.inputs[0].data not in (bytes(8), b"")


def test_file_is_read_from_the_warmup_folder(tmp_path: Path) -> None:
    (tmp_path / "warmup").mkdir()
    (tmp_path / "warmup" / "a").write_bytes(b"12345678 and more")
    (spec,) = warmup_specs(parse_config(sample(given("A", "FP32", 'input_data_file: "a"'))), tmp_path)
    assert spec.inputs[0].data == b"12345678"


def test_tensor_that_is_not_declared_has_no_batch_dimension(tmp_path: Path) -> None:
    (spec,) = warmup_specs(parse_config(sample(given("START", "INT32", "zero_data: true", "1"))), tmp_path)
    assert spec.inputs[0].shape == (1,)


def test_count_repeats_and_an_empty_batch_is_skipped(tmp_path: Path) -> None:
    config = parse_config(sample(given("A", "FP32", "zero_data: true"), more="batch_size: 1 count: 3"))
    assert warmup_specs(config, tmp_path)[0].count == 3
    config = parse_config(sample(given("A", "FP32", "zero_data: true"), more="batch_size: 0"))
    assert warmup_specs(config, tmp_path) == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "there is no data for input 'A'"),
        ('input_data_file: "absent"', "can not be read: No such file"),
        ('input_data_file: "short"', "has 4 bytes, the tensor 8"),
        ('input_data_file: "../config.pbtxt"', "leads out of"),
    ],
)
def test_what_is_wrong_with_the_data_is_told(tmp_path: Path, data: str, message: str) -> None:
    (tmp_path / "warmup").mkdir()
    (tmp_path / "warmup" / "short").write_bytes(b"1234")
    (tmp_path / "config.pbtxt").write_bytes(bytes(100))
    with pytest.raises(ConfigError, match=message) as caught:
        warmup_specs(parse_config(sample(given("A", "FP32", data))), tmp_path)
    assert caught.value.path.startswith('model_warmup[0].inputs["A"]')
    assert caught.value.stage == "load"
