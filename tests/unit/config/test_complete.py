# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Completion gives what is left out its default, and leaves its input alone."""

import pytest

from workbench.config import ModelConfig, complete, parse_config
from workbench.config.message import enum_name
from workbench.errors import ConfigError


def completed(text: str, *, files: tuple[str, ...] = (), gpu_count: int = 0, name: str = "m") -> ModelConfig:
    return complete(parse_config(text), name=name, files=files, gpu_count=gpu_count)


def kinds(config: ModelConfig) -> list[str]:
    return [enum_name("ModelInstanceGroup.Kind", group.kind) for group in config.instance_group]


def test_input_stays_as_it_is() -> None:
    config = parse_config("max_batch_size: 4 dynamic_batching { }")
    before = config.SerializeToString()
    complete(config, name="m")
    assert config.SerializeToString() == before


def test_name_comes_from_the_folder_and_must_agree_with_it() -> None:
    assert completed("").name == "m"
    with pytest.raises(ConfigError, match="'x', but its folder 'm'") as caught:
        completed('name: "x"')
    assert caught.value.stage == "read"


@pytest.mark.parametrize(
    ("file", "backend", "platform"),
    [
        ("model.onnx", "onnxruntime", "onnxruntime_onnx"),
        ("model.plan", "tensorrt", "tensorrt_plan"),
        ("model.pt", "pytorch", "pytorch_libtorch"),
        ("model.xml", "openvino", ""),
        ("model.py", "python", ""),
        ("model.savedmodel", "tensorflow", "tensorflow_savedmodel"),
        ("model.graphdef", "tensorflow", "tensorflow_graphdef"),
    ],
)
def test_backend_comes_from_the_name_of_the_file(file: str, backend: str, platform: str) -> None:
    config = completed("", files=(file, "notes.txt"))
    assert (config.backend, config.platform, config.default_model_filename) == (backend, platform, file)


def test_backend_of_last_resort_stands_in_the_folders_name() -> None:
    assert completed("", name="words.string.processor").backend == "string.processor"
    assert completed("", name="words").backend == ""


def test_backend_that_is_named_wins_over_the_file() -> None:
    assert completed('backend: "mine"', files=("model.onnx",)).backend == "mine"


def test_platform_tells_the_backend() -> None:
    config = completed('platform: "tensorrt_plan"')
    assert (config.backend, config.default_model_filename) == ("tensorrt", "model.plan")


def test_one_instance_bears_the_models_name() -> None:
    config = completed('backend: "b"')
    assert [(group.name, group.count) for group in config.instance_group] == [("m", 1)]


def test_groups_without_name_are_numbered_and_counts_below_one_are_the_default() -> None:
    config = completed('backend: "b" instance_group [ { count: -1 }, { name: "x" count: 2 }, { } ]')
    assert [(group.name, group.count) for group in config.instance_group] == [("m_0", 1), ("x", 2), ("m_2", 1)]


def test_onnxruntime_runs_two_instances_on_a_cpu_as_in_the_real_server() -> None:
    config = completed("instance_group [ { kind: KIND_CPU }, { kind: KIND_GPU } ]", files=("model.onnx",), gpu_count=1)
    assert [group.count for group in config.instance_group] == [2, 1]


def test_kind_auto_means_a_gpu_where_there_is_one() -> None:
    text = 'backend: "b" instance_group [ { }, { gpus: [ 1 ] } ]'
    assert kinds(completed(text, gpu_count=2)) == ["KIND_GPU", "KIND_GPU"]
    assert kinds(completed(text, gpu_count=1)) == ["KIND_GPU", "KIND_CPU"]
    assert kinds(completed(text)) == ["KIND_CPU", "KIND_CPU"]


def test_gpu_group_without_gpus_takes_all() -> None:
    config = completed('backend: "b" instance_group { kind: KIND_GPU }', gpu_count=2)
    assert list(config.instance_group[0].gpus) == [0, 1]


def test_no_preferred_size_means_the_largest() -> None:
    assert list(completed("max_batch_size: 4 dynamic_batching { }").dynamic_batching.preferred_batch_size) == [4]
    assert list(completed("dynamic_batching { }").dynamic_batching.preferred_batch_size) == []
    config = completed("max_batch_size: 4 sequence_batching { oldest { } }")
    assert list(config.sequence_batching.oldest.preferred_batch_size) == [4]


def test_sequences_idle_for_a_second_by_default() -> None:
    assert completed("sequence_batching { }").sequence_batching.max_sequence_idle_microseconds == 1_000_000


def test_ensemble_gets_no_instances() -> None:
    config = completed('platform: "ensemble" ensemble_scheduling { }')
    assert not config.instance_group
    assert not config.HasField("optimization")
    assert config.backend == ""


def test_completing_twice_changes_nothing_more() -> None:
    once = completed("max_batch_size: 4 dynamic_batching { }", files=("model.onnx",))
    assert complete(once, name="m", files=("model.onnx",)) == once
