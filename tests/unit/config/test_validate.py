# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Judging a completed configuration: the rules that depend on the machine, and what an error tells."""

import pytest

from workbench.config import ModelConfig, Outline, complete, find_problems, parse_config, read_text, validate
from workbench.errors import ConfigError

GPU_TEXT = 'backend: "b"\ninstance_group [ { kind: KIND_CPU }, { kind: KIND_GPU gpus: [ 0, 1 ] } ]\n'


def completed(text: str, gpu_count: int = 0) -> ModelConfig:
    return complete(read_text(text), name="m", gpu_count=gpu_count)


def test_gpu_group_is_refused_without_a_gpu_and_told_the_way_out() -> None:
    with pytest.raises(ConfigError) as caught:
        validate(completed(GPU_TEXT), locate=Outline(GPU_TEXT).locate, source="config.pbtxt")
    error = caught.value
    assert (error.line, error.column, error.path) == (2, 46, "instance_group[1].kind")
    assert "KIND_CPU" in error.suggestion
    assert error.stage == "load"


def test_gpu_group_is_accepted_with_its_gpus() -> None:
    validate(completed(GPU_TEXT, gpu_count=2), gpu_count=2)


def test_gpu_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="there is no GPU 1; the GPUs are 0 to 0"):
        validate(completed(GPU_TEXT, gpu_count=1), gpu_count=1)


def test_what_the_server_refuses_while_reading_comes_first() -> None:
    config = completed('backend: "b" max_batch_size: 2 input { name: "a" data_type: TYPE_FP32 dims: 0 }')
    config.dynamic_batching.preferred_batch_size.append(8)
    assert [problem.stage for problem in find_problems(config)] == ["read", "load"]


def test_configuration_without_text_is_judged_by_paths_alone() -> None:
    config = completed('backend: "b" max_batch_size: 2')
    config.dynamic_batching.preferred_batch_size.append(8)
    with pytest.raises(ConfigError) as caught:
        validate(config)
    assert caught.value.line == 0
    assert str(caught.value).startswith("dynamic_batching.preferred_batch_size[0]: ")


def test_platform_custom_is_told_to_be_a_backend() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config('platform: "custom"')
    assert "backend" in caught.value.suggestion


def test_missing_field_is_placed_at_the_message_that_lacks_it() -> None:
    text = 'backend: "b"\ninput {\n  name: "a"\n  dims: 1\n}\n'
    with pytest.raises(ConfigError) as caught:
        validate(completed(text), locate=Outline(text).locate)
    assert (caught.value.line, caught.value.column) == (2, 1)
    assert "data_type" in str(caught.value)
