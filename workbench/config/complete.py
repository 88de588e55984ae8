# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Completes a configuration as the server does before its backend is asked: what is left out gets its default."""

from __future__ import annotations

from collections.abc import Collection, Mapping, MutableSequence
from typing import Final

from workbench.config.backends import KNOWN_BACKENDS, KnownBackend, backend_of_platform
from workbench.config.message import ModelConfig, ModelInstanceGroup, enum_name
from workbench.config.rule import is_ensemble
from workbench.errors import ConfigError

SEQUENCE_IDLE_MICROSECONDS: Final = 1_000_000
"""How long a sequence may be silent where the configuration does not say."""

_KINDS: Final[Mapping[str, int]] = {"KIND_GPU": 1, "KIND_CPU": 2}


def complete(
    config: ModelConfig, *, name: str, files: Collection[str] = (), gpu_count: int = 0, source: str = "config.pbtxt"
) -> ModelConfig:
    """A completed copy of `config`; the input stays as it is.

    Args:
        config: the configuration as it was read; an empty one where there is no file.
        name: name of the model's folder, which the configuration must bear.
        files: names of the files and folders in the version folder, such as `model.onnx`.
        gpu_count: number of GPUs of this machine; KIND_AUTO means KIND_GPU where there is one.
        source: name of the file or cell, for messages.

    Raises:
        ConfigError: when the configuration bears another name.
    """
    completed = ModelConfig()
    completed.CopyFrom(config)
    _complete_name(completed, name, source)
    _complete_backend(completed, files)
    _complete_versions(completed)
    _complete_scheduling(completed)
    if is_ensemble(completed):
        completed.model_transaction_policy.SetInParent()
    else:
        _complete_optimization(completed)
        _complete_instances(completed, gpu_count)
    return completed


def _complete_name(config: ModelConfig, name: str, source: str) -> None:
    if config.name and config.name != name:
        raise ConfigError(
            f"name: the model is called {config.name!r}, but its folder {name!r}",
            suggestion=f'write name: "{name}", or leave it out',
            path="name",
            source=source,
            stage="read",
        )
    config.name = name


def _complete_backend(config: ModelConfig, files: Collection[str]) -> None:
    if is_ensemble(config):
        return
    if not config.backend:
        config.backend = backend_of_platform(config.platform)
    known = _known_backend(config, files)
    if known:
        config.backend = known.backend
        config.platform = config.platform or known.platform
        config.default_model_filename = config.default_model_filename or known.filename
    elif not (config.backend or config.platform or config.default_model_filename):
        # As a last resort the server reads a backend out of a folder's name: `<anything>.<backend>`.
        config.backend = config.name.partition(".")[2]


def _known_backend(config: ModelConfig, files: Collection[str]) -> KnownBackend | None:
    for known in KNOWN_BACKENDS:
        if config.backend and (known.backend != config.backend or not _fits(known, config, files)):
            continue
        if config.backend or known.filename == config.default_model_filename:
            return known
        if not (config.platform or config.default_model_filename) and known.filename in files:
            return known
    return None


def _fits(known: KnownBackend, config: ModelConfig, files: Collection[str]) -> bool:
    """Two platforms of one backend (TensorFlow's) are told apart by the platform, else by the file."""
    if config.platform:
        return known.platform in ("", config.platform)
    siblings = [other for other in KNOWN_BACKENDS if other.backend == known.backend]
    return len(siblings) == 1 or known.filename in files or known.filename == config.default_model_filename


def _complete_versions(config: ModelConfig) -> None:
    if not config.HasField("version_policy"):
        config.version_policy.latest.num_versions = 1


def _complete_scheduling(config: ModelConfig) -> None:
    if config.HasField("dynamic_batching"):
        _prefer_largest(config.dynamic_batching.preferred_batch_size, config.max_batch_size)
    if config.HasField("sequence_batching"):
        sequence = config.sequence_batching
        if not sequence.max_sequence_idle_microseconds:
            sequence.max_sequence_idle_microseconds = SEQUENCE_IDLE_MICROSECONDS
        if sequence.HasField("oldest"):
            _prefer_largest(sequence.oldest.preferred_batch_size, config.max_batch_size)


def _prefer_largest(preferred: MutableSequence[int], max_batch_size: int) -> None:
    if not preferred and max_batch_size > 0:
        preferred.append(max_batch_size)


def _complete_optimization(config: ModelConfig) -> None:
    optimization = config.optimization
    optimization.SetInParent()
    if not optimization.HasField("input_pinned_memory"):
        optimization.input_pinned_memory.enable = True
    if not optimization.HasField("output_pinned_memory"):
        optimization.output_pinned_memory.enable = True


def _complete_instances(config: ModelConfig, gpu_count: int) -> None:
    if not len(config.instance_group):
        config.instance_group.add().name = config.name
    for index, group in enumerate(config.instance_group):
        group.name = group.name or f"{config.name}_{index}"
        _complete_kind(group, gpu_count)
        if group.count < 1:
            group.count = _default_count(config.backend, group)


def _complete_kind(group: ModelInstanceGroup, gpu_count: int) -> None:
    if _kind(group) == "KIND_AUTO":
        has_gpus = gpu_count > 0 and all(0 <= gpu < gpu_count for gpu in group.gpus)
        group.kind = _KINDS["KIND_GPU" if has_gpus else "KIND_CPU"]
    if _kind(group) == "KIND_GPU" and not group.gpus:
        group.gpus.extend(range(gpu_count))


def _default_count(backend: str, group: ModelInstanceGroup) -> int:
    if _kind(group) != "KIND_CPU":
        return 1
    return next((known.cpu_count for known in KNOWN_BACKENDS if known.backend == backend), 1)


def _kind(group: ModelInstanceGroup) -> str:
    return enum_name("ModelInstanceGroup.Kind", group.kind)
