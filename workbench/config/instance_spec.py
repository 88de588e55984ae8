# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The instances of a model as the native core is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from workbench.config.message import ModelConfig, ModelInstanceGroup, enum_name


@dataclass(frozen=True, slots=True)
class RateLimitSpec:
    """What an instance needs while it executes: name, whether it is one for all devices, count; and its priority."""

    resources: tuple[tuple[str, bool, int], ...] = ()
    priority: int = 1


@dataclass(frozen=True, slots=True)
class InstanceSpec:
    """One instance: a group of count 2 makes two."""

    name: str
    kind: Literal["CPU", "GPU", "MODEL"] = "CPU"
    device_id: int = 0
    passive: bool = False
    host_policy: str = ""
    profiles: tuple[str, ...] = ()
    secondary_devices: tuple[tuple[str, int], ...] = ()
    rate_limit: RateLimitSpec = RateLimitSpec()


def instance_specs(config: ModelConfig) -> Iterator[InstanceSpec]:
    """The instances of a completed configuration, group by group."""
    for group in config.instance_group:
        number = 0
        # As in the server, `count` is per GPU, and numbers go on over the GPUs of a group.
        for device_id in _devices(group):
            for _ in range(group.count):
                yield _instance(group, number, device_id)
                number += 1


def _devices(group: ModelInstanceGroup) -> tuple[int, ...]:
    return tuple(group.gpus) if _kind(group) == "GPU" else (0,)


def _instance(group: ModelInstanceGroup, number: int, device_id: int) -> InstanceSpec:
    return InstanceSpec(
        name=f"{group.name}_{number}",
        kind=_kind(group),
        device_id=device_id,
        passive=group.passive,
        host_policy=group.host_policy or _host_policy(group, device_id),
        profiles=tuple(group.profile),
        secondary_devices=tuple(_secondary_device(device) for device in group.secondary_devices),
        rate_limit=_rate_limit(group),
    )


def _rate_limit(group: ModelInstanceGroup) -> RateLimitSpec:
    limiter = group.rate_limiter
    # As in the server, one that is named twice counts as the last says.
    resources = {(one.name, getattr(one, "global")): one.count for one in limiter.resources}
    rows = tuple((name, is_global, count) for (name, is_global), count in resources.items())
    return RateLimitSpec(rows, limiter.priority or 1)


def _secondary_device(device: Any) -> tuple[str, int]:
    return enum_name("ModelInstanceGroup.SecondaryDevice.SecondaryDeviceKind", device.kind), device.device_id


def _host_policy(group: ModelInstanceGroup, device_id: int) -> str:
    return f"gpu_{device_id}" if _kind(group) == "GPU" else _kind(group).lower()


def _kind(group: ModelInstanceGroup) -> Literal["CPU", "GPU", "MODEL"]:
    name = enum_name("ModelInstanceGroup.Kind", group.kind)
    if name == "KIND_GPU":
        return "GPU"
    return "MODEL" if name == "KIND_MODEL" else "CPU"
