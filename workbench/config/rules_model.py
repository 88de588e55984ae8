# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of the model as a whole: backend, instances, versions, warm-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workbench.config.backends import backend_of_platform, known_platforms
from workbench.config.message import ModelConfig, ModelWarmup, enum_name
from workbench.config.rule import Problem, Rule, is_ensemble
from workbench.config.vocabulary import spoken


def platform_is_known(config: ModelConfig) -> Iterator[Problem]:
    """A platform is one of a closed list; a backend of one's own is named by `backend`."""
    if config.backend or not config.platform or is_ensemble(config):
        return
    if not backend_of_platform(config.platform):
        name = "…" if config.platform == "custom" else config.platform
        yield Problem(
            "platform",
            f"there is no platform {config.platform!r}; a backend is named by `backend`",
            f'write backend: "{name}" instead; the platforms are {spoken(known_platforms())}',
        )


def platform_and_backend_agree(config: ModelConfig) -> Iterator[Problem]:
    """Two names of known backends name the same one."""
    platforms_backend = backend_of_platform(config.platform)
    known = {backend_of_platform(platform) for platform in known_platforms()}
    if config.backend in known and platforms_backend and platforms_backend != config.backend:
        yield Problem(
            "platform",
            f"platform {config.platform!r} belongs to backend {platforms_backend!r}, not to {config.backend!r}",
            "keep backend and remove platform",
        )


def kinds_fit_gpus(config: ModelConfig) -> Iterator[Problem]:
    """Only KIND_GPU (and KIND_AUTO, which may become it) names GPUs."""
    for index, group in enumerate(config.instance_group):
        kind = enum_name("ModelInstanceGroup.Kind", group.kind)
        if not kind.startswith("KIND_"):
            yield Problem(
                f"instance_group[{index}].kind",
                f"there is no kind {kind}",
                "KIND_AUTO, KIND_GPU, KIND_CPU or KIND_MODEL",
                stage="load",
            )
        if kind in ("KIND_CPU", "KIND_MODEL") and group.gpus:
            yield Problem(
                f"instance_group[{index}].gpus",
                f"a group of {kind} names no GPUs",
                "remove gpus, or use KIND_GPU",
                stage="load",
            )


def policy_leaves_a_version(config: ModelConfig) -> Iterator[Problem]:
    """A version policy that can never choose a version."""
    policy = config.version_policy
    if policy.HasField("latest") and policy.latest.num_versions == 0:
        yield Problem("version_policy.latest", "the latest 0 versions are none", "write num_versions: 1", stage="load")
    if policy.HasField("specific") and not policy.specific.versions:
        yield Problem("version_policy.specific", "no version is listed", "write versions: [ 1 ]", stage="load")


def warmup_is_a_request(config: ModelConfig) -> Iterator[Problem]:
    """A warm-up request has a batch size that the model takes, and sizes for all dims."""
    for index, warmup in enumerate(config.model_warmup):
        path = f"model_warmup[{index}]"
        if 0 < config.max_batch_size < warmup.batch_size:
            yield Problem(
                f"{path}.batch_size",
                f"batch_size {warmup.batch_size} exceeds max_batch_size",
                f"use {config.max_batch_size} at most",
                stage="load",
            )
        yield from _warmup_inputs(path, warmup)


def _warmup_inputs(path: str, warmup: ModelWarmup) -> Iterator[Problem]:
    for name in sorted(warmup.inputs):
        for index, size in enumerate(warmup.inputs[name].dims):
            if size < 0:
                yield Problem(
                    f'{path}.inputs["{name}"].dims[{index}]',
                    "a warm-up request has no variable dims",
                    "write a size",
                    stage="load",
                )


RULES: Final[tuple[Rule, ...]] = (
    platform_is_known,
    platform_and_backend_agree,
    kinds_fit_gpus,
    policy_leaves_a_version,
    warmup_is_a_request,
)


def backend_is_named(config: ModelConfig) -> Iterator[Problem]:
    """Something runs the model."""
    if not config.backend and not is_ensemble(config):
        yield Problem(
            "backend",
            "no backend is named, and no file in the version folder tells which",
            'write backend: "…": the … of libtriton_….so',
        )


def no_agent_is_needed(config: ModelConfig) -> Iterator[Problem]:
    """What an agent would have done to the model's files is left undone: nobody may rely on it."""
    for index, agent in enumerate(config.model_repository_agents.agents):
        yield Problem(
            f"model_repository_agents.agents[{index}]",
            f"there is no repository agent {agent.name!r}: this server runs none",
            "prepare the files beforehand, and leave model_repository_agents out",
        )


COMPLETE_RULES: Final[tuple[Rule, ...]] = (backend_is_named, no_agent_is_needed)
"""Rules of what the folder's files may still complete."""


def gpus_exist(config: ModelConfig, gpu_count: int) -> Iterator[Problem]:
    """Groups of KIND_GPU run on GPUs that this machine has."""
    for index, group in enumerate(config.instance_group):
        path = f"instance_group[{index}]"
        if enum_name("ModelInstanceGroup.Kind", group.kind) != "KIND_GPU":
            continue
        if not gpu_count:
            yield Problem(
                f"{path}.kind",
                "this machine has no GPU",
                "write kind: KIND_CPU, or leave kind out; where the backend is CUDA, its CPU twin (%%backend without "
                "--cuda) runs there",
                stage="load",
            )
        for number, gpu in enumerate(group.gpus):
            if gpu_count and not 0 <= gpu < gpu_count:
                yield Problem(
                    f"{path}.gpus[{number}]",
                    f"there is no GPU {gpu}",
                    f"the GPUs are 0 to {gpu_count - 1}",
                    stage="load",
                )
