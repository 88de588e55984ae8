# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json

from workbench.config import ModelConfig, parse_config
from workbench.repository.backend_wishes import config_json, with_preferred_group

COMPLETED = parse_config('name: "m" backend: "echo" instance_group { name: "m" count: 1 kind: KIND_CPU }')
GPU, MODEL, AUTO = ("GPU", 2, (1, 5)), ("MODEL", 0, ()), ("AUTO", 3, ())


def test_a_backend_is_told_its_own_settings_over_those_of_all() -> None:
    told = json.loads(config_json({"": {"a": "all", "b": "all"}, "echo": {"b": "own"}, "other": {"c": "no"}}, "echo"))
    settings = told["cmdline"]
    assert (settings["a"], settings["b"], settings["auto-complete-config"]) == ("all", "own", "true")
    assert "c" not in settings


def test_the_first_group_that_the_machine_can_have_is_taken() -> None:
    (group,) = with_preferred_group(COMPLETED, ModelConfig(), [GPU, MODEL], gpu_count=0).instance_group
    assert (group.kind, group.count, group.name) == (3, 1, "m")
    (group,) = with_preferred_group(COMPLETED, ModelConfig(), [GPU, MODEL], gpu_count=2).instance_group
    assert (group.kind, group.count, list(group.gpus)) == (1, 2, [1])


def test_auto_is_a_gpu_where_there_is_one() -> None:
    for gpu_count, kind in ((0, 2), (1, 1)):
        (group,) = with_preferred_group(COMPLETED, ModelConfig(), [AUTO], gpu_count=gpu_count).instance_group
        assert (group.kind, group.count) == (kind, 3)


def test_a_group_of_the_configurations_own_stays() -> None:
    assert with_preferred_group(COMPLETED, COMPLETED, [MODEL], gpu_count=0) is COMPLETED
    assert with_preferred_group(COMPLETED, ModelConfig(), [GPU], gpu_count=0) is COMPLETED
