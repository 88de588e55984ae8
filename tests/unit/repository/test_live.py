# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What changes under way, and what makes a model anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.config import ModelConfig, parse_config
from workbench.errors import WorkbenchError
from workbench.repository import ModelRepository
from workbench.repository.live import is_live_change, needs_another_model
from workbench.testing import ECHO_CONFIG, FakeEngine, write_model

M_CONFIG = ECHO_CONFIG.replace("{name}", "m")
TWO = "instance_group [ { count: 2 kind: KIND_CPU } ]"
THREE = "instance_group [ { count: 3 kind: KIND_CPU } ]"


def edited(text: str) -> ModelConfig:
    return parse_config(M_CONFIG + text)


def models(engine: FakeEngine) -> list[tuple[int, str]]:
    return [(model.version, model.state) for model in engine.models]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TWO, THREE),
        ("version_policy { latest { num_versions: 1 } }", "version_policy { all { } }"),
        ("dynamic_batching { }", "dynamic_batching { max_queue_delay_microseconds: 5 }"),
        ("sequence_batching { direct { } }", "sequence_batching { direct { minimum_slot_utilization: 0.5 } }"),
        (
            "dynamic_batching { } " + TWO,
            'dynamic_batching { preserve_ordering: true } instance_group [ { name: "x" } ]',
        ),
    ],
)
def test_changes_that_a_running_model_follows(before: str, after: str) -> None:
    assert is_live_change(edited(before), edited(after))
    assert needs_another_model(edited(before), edited(after)) == ""


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("", "dynamic_batching { }", "dynamic_batching"),
        ("", TWO, "instance_group"),
        ("sequence_batching { } " + TWO, "sequence_batching { } " + THREE, "instance_group"),
        ("response_cache { enable: true }", "", "response_cache"),
        (TWO + "parameters { key: 'a' value { string_value: '1' } }", THREE, "parameters"),
    ],
)
def test_changes_that_need_another_model_are_named(before: str, after: str, what: str) -> None:
    assert not is_live_change(edited(before), edited(after))
    assert needs_another_model(edited(before), edited(after)) == what


def test_reload_with_other_instances_keeps_the_model(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra=TWO)
    repository.load("m")
    write_model(folder, "m", extra=THREE)
    repository.load("m")
    assert models(engine) == [(1, "started")]
    assert engine.models[0].instances == ("m_0_0", "m_0_1", "m_0_2")
    assert len(repository.version("m").spec.instances) == 3


def test_reconfigure_adds_and_removes_instances_under_way(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra=TWO)
    repository.load("m")
    repository.reconfigure("m", lambda _: edited(THREE))
    assert models(engine) == [(1, "started")]
    assert len(engine.models[0].instances) == 3


def test_instances_that_fail_leave_the_model_as_it_was(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra=TWO)
    repository.load("m")
    with pytest.raises(WorkbenchError, match="no weights"):
        repository.reconfigure("m", lambda _: edited('instance_group [ { name: "refused" } ]'))
    assert engine.models[0].instances == ("m_0_0", "m_0_1")
    (entry,) = repository.index()
    assert entry.state == "READY"
    assert "no weights" in entry.reason
    assert len(repository.version("m").spec.instances) == 2


def test_other_version_policy_keeps_the_versions_that_stay(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra="version_policy { specific { versions: [ 1, 2 ] } }", versions=[1, 2, 3])
    repository.load("m")
    write_model(folder, "m", extra="version_policy { specific { versions: [ 2, 3 ] } }")
    repository.load("m")
    assert repository.wait_settled(5.0)
    assert models(engine) == [(1, "closed"), (2, "started"), (3, "started")]
    assert [entry.state for entry in repository.index()] == ["UNAVAILABLE", "READY", "READY"]


def test_new_version_leaves_the_others_alone(repository: ModelRepository, engine: FakeEngine, folder: Path) -> None:
    write_model(folder, "m", extra="version_policy { all { } }")
    repository.load("m")
    (folder / "m" / "2").mkdir()
    (folder / "m" / "2" / "weights").write_text("new")
    repository.load("m")
    assert models(engine) == [(1, "started"), (2, "started")]


def test_changed_file_makes_its_version_anew_and_no_other(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra="version_policy { all { } }", versions=[1, 2])
    repository.load("m")
    (folder / "m" / "2" / "weights").write_text("new")
    repository.load("m")
    assert repository.wait_settled(5.0)
    assert models(engine) == [(1, "started"), (2, "closed"), (2, "started")]


def test_changed_file_of_the_model_makes_every_version_anew(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra="version_policy { all { } }", versions=[1, 2])
    repository.load("m")
    (folder / "m" / "labels.txt").write_text("new")
    repository.load("m")
    assert repository.wait_settled(5.0)
    assert [state for _, state in models(engine)] == ["closed", "closed", "started", "started"]
