# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations as they circulate: the right ones work as written, the others are told what their authors missed."""

import pytest

from workbench.config import complete, edit_config, model_spec, parse_config, validate, write_config
from workbench.errors import ConfigError

STRING_PROCESSOR = """
name: "string_processor"   backend: "custombackend"   max_batch_size: 8
input  [ { name: "INPUT_STRING"  data_type: TYPE_STRING dims: [ -1 ] } ]
output [ { name: "OUTPUT_LABEL"  data_type: TYPE_STRING dims: [ -1 ] } ]
"""
BERT = """
name: "my_bert_model"   platform: "onnxruntime_onnx"   max_batch_size: 8
input  [ { name: "input_ids" data_type: TYPE_INT32 dims: [ -1, 128 ] } ]
output [ { name: "logits"    data_type: TYPE_FP32  dims: [ -1, 768 ] } ]
instance_group [ { count: 2 kind: KIND_GPU gpus: [ 0, 1 ] } ]
"""
RESNET = """
name: "resnet50"   platform: "onnxruntime_onnx"   max_batch_size: 64
input  [ { name: "input"  data_type: TYPE_FP32 dims: [ 3, 224, 224 ] } ]
output [ { name: "output" data_type: TYPE_FP32 dims: [ 1000 ] } ]
dynamic_batching { preferred_batch_size: [ 8, 16, 32, 64 ] max_queue_delay_microseconds: 100 }
instance_group [ { count: 2 kind: KIND_GPU } ]
"""
ENGINE = """
name: "resnet50_engine"   backend: "cpp_engine"   default_model_filename: "model.plan"   max_batch_size: 64
input  [ { name: "input"  data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, 224, 224 ] } ]
output [ { name: "output" data_type: TYPE_FP32 dims: [ 1000 ] } ]
dynamic_batching { preferred_batch_size: [ 4, 8, 16, 32 ] }
instance_group [ { count: 1 kind: KIND_GPU gpus: [ 0 ] }, { count: 1 kind: KIND_GPU gpus: [ 1 ] } ]
"""
FOLDERS = {
    "string_processor": STRING_PROCESSOR,
    "my_bert_model": BERT,
    "resnet50": RESNET,
    "resnet50_engine": ENGINE,
}


@pytest.mark.parametrize(("name", "text"), FOLDERS.items())
def test_corrected_configuration_loads_where_its_gpus_are(name: str, text: str) -> None:
    config = complete(parse_config(text), name=name, gpu_count=2)
    validate(config, gpu_count=2)
    spec = model_spec(config, version=1, path=f"/models/{name}")
    assert spec.backend
    assert spec.instances
    assert parse_config(write_config(config)) == config


def test_published_type_is_told_the_right_one_at_its_place() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(STRING_PROCESSOR.replace("TYPE_STRING", "TYPE_BYTES"))
    assert (caught.value.line, caught.value.column) == (3, 45)
    assert caught.value.suggestion == "TYPE_STRING"


@pytest.mark.parametrize("name", ["my_bert_model", "resnet50", "resnet50_engine"])
def test_gpu_configuration_is_refused_without_gpus_and_runs_once_edited_as_told(name: str) -> None:
    text = FOLDERS[name]
    with pytest.raises(ConfigError) as caught:
        validate(complete(parse_config(text), name=name))
    assert "KIND_CPU" in caught.value.suggestion
    groups = len(parse_config(text).instance_group)
    changes = {f"instance_group[{index}].kind": "KIND_CPU" for index in range(groups)}
    without_gpus = {f"instance_group[{index}].gpus": None for index in range(groups)}
    validate(complete(parse_config(edit_config(text, changes | without_gpus)), name=name))
