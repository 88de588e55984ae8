# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What backends are told when they are opened, and the instance groups that they wish for models that name none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from workbench.config import ModelConfig

BackendConfig: TypeAlias = Mapping[str, Mapping[str, str]]
"""Settings by backend; those of "" are for all."""

Group: TypeAlias = tuple[str, int, tuple[int, ...]]
"""Kind, count (0: as the server likes) and devices of an instance group."""

NO_SETTINGS: Final[BackendConfig] = {}
_DEFAULTS: Final[Mapping[str, str]] = {"default-max-batch-size": "4"}
_KINDS: Final[Mapping[str, int]] = {"AUTO": 0, "GPU": 1, "CPU": 2, "MODEL": 3}


def config_json(settings: BackendConfig, backend: str, *, auto_complete: bool = True) -> str:
    """What `TRITONBACKEND_BackendConfig` tells a backend."""
    completes = {"auto-complete-config": "true" if auto_complete else "false"}
    told = {**completes, **_DEFAULTS, **settings.get("", {}), **settings.get(backend, {})}
    return json.dumps({"cmdline": told})


def with_preferred_group(
    completed: ModelConfig, given: ModelConfig, groups: Sequence[Group], *, gpu_count: int
) -> ModelConfig:
    """The configuration on the first of the groups that this machine can have, where `given` names none of its own."""
    possible = [group for group in groups if group[0] != "GPU" or gpu_count]
    if len(given.instance_group) or not possible:
        return completed
    kind, count, devices = possible[0]
    changed = ModelConfig()
    changed.CopyFrom(completed)
    changed.ClearField("instance_group")
    group = changed.instance_group.add()
    group.CopyFrom(completed.instance_group[0])
    group.kind = _KINDS["GPU" if gpu_count else "CPU"] if kind == "AUTO" else _KINDS[kind]
    group.count = count or 1
    del group.gpus[:]
    if group.kind == _KINDS["GPU"]:
        group.gpus.extend([device for device in devices if device < gpu_count] or range(gpu_count))
    return changed
