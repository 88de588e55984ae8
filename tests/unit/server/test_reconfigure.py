# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest

from workbench.config import ModelConfig, parse_config
from workbench.errors import ConfigError, InvalidArgumentError
from workbench.server import Model, Server
from workbench.server.reconfigure import changed
from workbench.testing import ECHO_CONFIG, FakeEngine

BATCHING = ECHO_CONFIG.replace("{name}", "m") + "dynamic_batching { max_queue_delay_microseconds: 100 }"


@pytest.fixture
def model(server: Server) -> Model:
    return server.load("m", config=BATCHING)


def test_delay_and_preferred_sizes_change_without_a_reload(model: Model, engine: FakeEngine) -> None:
    model.reconfigure(max_queue_delay_microseconds=250, preferred_batch_size=[4])
    assert len(engine.models) == 1
    assert engine.models[0].batching.max_queue_delay_ns == 250_000
    assert engine.models[0].batching.preferred_batch_size == (4,)
    assert "max_queue_delay_microseconds: 250" in model.config


def test_changes_add_up(model: Model, engine: FakeEngine) -> None:
    model.reconfigure(max_queue_delay_microseconds=250)
    model.reconfigure(preferred_batch_size=np.array([4, 8]))
    assert engine.models[0].batching.max_queue_delay_ns == 250_000
    assert engine.models[0].batching.preferred_batch_size == (4, 8)


@pytest.mark.parametrize(
    "change", [{"max_batch_size": 4}, {"count": 3}, {"instance_group": [{"count": 2, "kind": "KIND_CPU"}]}]
)
def test_other_fields_reload_the_model(
    model: Model, engine: FakeEngine, server: Server, change: dict[str, object]
) -> None:
    model.reconfigure(**change)
    assert server.wait_settled(5.0)
    assert [one.state for one in engine.models] == ["closed", "started"]


def test_count_is_set_in_every_group() -> None:
    config = parse_config("instance_group [ { count: 1 }, { count: 2 } ]")
    assert [group.count for group in changed(config, {"count": 3}).instance_group] == [3, 3]
    assert [group.count for group in changed(ModelConfig(), {"count": 3}).instance_group] == [3]
    assert [group.count for group in config.instance_group] == [1, 2]


def test_none_clears_a_field() -> None:
    config = parse_config("max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 4 ] }")
    assert not changed(config, {"dynamic_batching": None}).HasField("dynamic_batching")
    assert not changed(config, {"preferred_batch_size": None}).dynamic_batching.preferred_batch_size


def test_unknown_field_is_told_with_those_there_are(model: Model) -> None:
    with pytest.raises(InvalidArgumentError, match=r"no field 'max_delay'.*max_queue_delay_microseconds"):
        model.reconfigure(max_delay=3)


def test_value_that_the_field_can_not_hold_is_refused(model: Model) -> None:
    with pytest.raises(ConfigError, match="max_batch_size"):
        model.reconfigure(max_batch_size="many")


def test_illegal_change_leaves_the_model_as_it_was(model: Model, engine: FakeEngine) -> None:
    with pytest.raises(ConfigError, match="preferred"):
        model.reconfigure(preferred_batch_size=[99])
    assert engine.models[0].batching.preferred_batch_size == (8,)
    model.infer({"INPUT0": np.zeros((1, 4), np.float32)})


def test_plain_load_returns_to_the_file(model: Model, engine: FakeEngine, server: Server) -> None:
    model.reconfigure(max_queue_delay_microseconds=250)
    server.load("m")
    assert not engine.models[-1].batching.dynamic


@pytest.mark.parametrize("count", [0, -2])
def test_no_instances_are_refused(model: Model, count: int) -> None:
    with pytest.raises(ConfigError, match="the least is 1"):
        model.reconfigure(count=count)
