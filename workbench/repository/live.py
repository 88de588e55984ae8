# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What of a configuration a model takes over while it serves; anything else needs a model of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from workbench.config import ModelConfig
from workbench.repository.source import CONFIG_FILE, Fingerprint
from workbench.repository.versions import version_of

_LIVE: Final[Mapping[str, tuple[str, ...]]] = {
    "dynamic_batching": (
        "preferred_batch_size",
        "max_queue_delay_microseconds",
        "preserve_ordering",
        "priority_levels",
        "default_priority_level",
        "default_queue_policy",
        "priority_queue_policy",
    ),
    "sequence_batching": ("max_sequence_idle_microseconds",),
    "sequence_batching.direct": ("max_queue_delay_microseconds", "minimum_slot_utilization"),
    "sequence_batching.oldest": ("preferred_batch_size", "max_queue_delay_microseconds", "preserve_ordering"),
}
"""Fields that a scheduler takes over while it runs, by the message that holds them."""


def is_live_change(old: ModelConfig, new: ModelConfig) -> bool:
    """True where the two differ in nothing but what a running model can follow.

    That is how long and in what sizes requests wait, which instances there are and what they need, and which versions
    serve.
    """
    return _rest(old) == _rest(new) and _instances_can_follow(old, new)


def needs_another_model(old: ModelConfig, new: ModelConfig) -> str:
    """The fields in which the two differ and which need another model, as the log tells them; "" where none does."""
    before, after = ({field.name: value for field, value in _rest(one).ListFields()} for one in (old, new))
    different = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    if not different and not _instances_can_follow(old, new):
        different = ["instance_group"]
    return ", ".join(different)


def files_of(fingerprint: Fingerprint, version: int) -> Fingerprint:
    """The files that one version runs on: its own and those of the model, without the configuration's."""
    return tuple(stamp for stamp in fingerprint if _concerns(stamp[0], version))


def with_live_fields(running: ModelConfig, wanted: ModelConfig) -> ModelConfig:
    """`running`, as its backend completed it, with what it can follow of `wanted`."""
    config = _copy(running)
    for scheduler in ("dynamic_batching", "sequence_batching"):
        if wanted.HasField(scheduler):
            getattr(config, scheduler).CopyFrom(getattr(wanted, scheduler))
    config.version_policy.CopyFrom(wanted.version_policy)
    config.ClearField("instance_group")
    for group in wanted.instance_group:
        config.instance_group.add().CopyFrom(group)
    return config


def _concerns(path: str, version: int) -> bool:
    first, slash, _ = path.partition("/")
    if not slash:
        return path != CONFIG_FILE
    return first != "configs" and version_of(first) in (None, version)


def _instances_can_follow(old: ModelConfig, new: ModelConfig) -> bool:
    if _unlimited_groups(old) == _unlimited_groups(new):
        return True
    # What a backend prefers is asked when it is opened; slots of sequences belong to instances.
    return bool(old.instance_group and new.instance_group) and not new.HasField("sequence_batching")


def _unlimited_groups(config: ModelConfig) -> list[Any]:
    groups = list(_copy(config).instance_group)
    for group in groups:
        group.ClearField("rate_limiter")
    return groups


def _rest(config: ModelConfig) -> ModelConfig:
    copy = _copy(config)
    copy.ClearField("version_policy")
    copy.ClearField("instance_group")
    for path, fields in _LIVE.items():
        message: Any = copy
        for name in path.split("."):
            message = getattr(message, name) if message is not None and message.HasField(name) else None
        for field in fields if message is not None else ():
            message.ClearField(field)
    return copy


def _copy(config: ModelConfig) -> ModelConfig:
    copy = ModelConfig()
    copy.CopyFrom(config)
    return copy
