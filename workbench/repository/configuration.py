# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The configuration of a model on its way from file, cell or mapping to what the core is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from workbench import config as configs
from workbench.config import ModelConfig, ModelSpec
from workbench.errors import ConfigError, LoadError, WorkbenchError
from workbench.repository.engine import refusal_of
from workbench.repository.ensemble import find_graph_problems
from workbench.repository.initial_state import with_initial_states
from workbench.repository.source import ModelFolder

ConfigOverride: TypeAlias = str | Mapping[str, Any] | ModelConfig
"""A configuration that replaces the file's: text of a config.pbtxt, JSON text, a mapping, or the message."""


@dataclass(frozen=True, slots=True)
class Override:
    """What one load takes in place of the repository's: a configuration, and with it all files of the model.

    Attributes:
        config: the configuration.
        files: contents by `<version>/<path>`; empty where the repository's files stay.
    """

    config: ConfigOverride
    files: Mapping[str, bytes] = field(default_factory=dict)


class _Serving(Protocol):
    @property
    def config(self) -> ModelConfig: ...


Running: TypeAlias = Callable[[str, int], _Serving]
"""Finds a version that serves; raises WorkbenchError where it does not."""


@dataclass(frozen=True, slots=True)
class GivenConfig:
    """A configuration as it was given, and the text that errors point into, "" where there is none."""

    config: ModelConfig
    text: str = ""
    source: str = "config"


def read(folder: ModelFolder, override: Override | None, *, file_needed: bool = False) -> GivenConfig:
    """The configuration of a model: the override where there is one, else its file, else an empty one.

    Raises:
        ConfigError: it is not legal, or `file_needed` and not there.
    """
    if override is None:
        text = folder.config_text()
        if text is None and file_needed:
            message = f"model {folder.name!r} has no {folder.config_path.name}, and this server completes nothing"
            raise ConfigError(message, source=str(folder.config_path), stage="read")
        return GivenConfig(ModelConfig()) if text is None else _from_text(text, str(folder.config_path))
    config = override.config
    if isinstance(config, ModelConfig):
        return GivenConfig(_copy(config))
    if isinstance(config, str) and not config.lstrip().startswith("{"):
        return _from_text(config, "config")
    return GivenConfig(configs.from_json(config))


def complete(given: GivenConfig, folder: ModelFolder, *, gpu_count: int) -> ModelConfig:
    """The configuration with the server's own defaults, judged as far as the backend does not add to it.

    Raises:
        ConfigError: it is not legal, or asks for GPUs that are not there.
    """
    versions = folder.versions()
    files = [entry.name for entry in (folder.path / str(versions[-1])).iterdir()] if versions else []
    completed = configs.complete(given.config, name=folder.name, files=files, gpu_count=gpu_count, source=given.source)
    is_nameless = not (completed.backend or configs.is_ensemble(completed))
    if is_nameless or (len(completed.input) and len(completed.output)):
        judge(completed, given, gpu_count=gpu_count)
    return completed


def completed_by_backend(completed: ModelConfig, told: ModelConfig, *, gpu_count: int) -> ModelConfig:
    """`completed` with what the backend may set of `told`, its own version: batch size, tensors, scheduler, decoupling.

    Raises:
        LoadError: the backend chose another scheduler than the configuration.
    """
    if told == completed:
        return completed
    config = _copy(completed)
    config.max_batch_size = told.max_batch_size
    for name in ("input", "output"):
        config.ClearField(name)
        getattr(config, name).MergeFrom(getattr(told, name))
    ours, theirs = (one.WhichOneof("scheduling_choice") for one in (completed, told))
    if ours is None and theirs is not None:
        getattr(config, theirs).CopyFrom(getattr(told, theirs))
    elif ours != theirs:
        message = f"the backend completed the configuration with scheduler {theirs or 'none'}, where it has {ours}"
        raise LoadError(message)
    if told.HasField("model_transaction_policy"):
        config.model_transaction_policy.decoupled = told.model_transaction_policy.decoupled
    return configs.complete(config, name=config.name, gpu_count=gpu_count)


def judge(config: ModelConfig, given: GivenConfig, *, gpu_count: int) -> None:
    """Raise ConfigError for the first rule that a completed configuration breaks, with its place in the text."""
    locate = configs.Outline(given.text).locate if given.text else None
    configs.validate(config, locate=locate, source=given.source, gpu_count=gpu_count)


def placed(exc: ConfigError, given: GivenConfig) -> ConfigError:
    """The error with the place of its field in the text, where it has one."""
    place = configs.Outline(given.text).locate(exc.path) if given.text else None
    if place is not None:
        exc.line, exc.column = place.line, place.column
    exc.source = given.source
    return exc


def compose(config: ModelConfig, given: GivenConfig, *, gpu_count: int, running: Running) -> frozenset[str]:
    """Judge an ensemble together with the models of its steps; it is decoupled where one of them is.

    Args:
        config: the ensemble's completed configuration, which is changed.
        given: as it was given, for messages.
        gpu_count: number of GPUs of this machine.
        running: finds the models.

    Returns:
        Those of its models that are decoupled.

    Raises:
        ConfigError: the ensemble is not legal, or does not fit its models.
        LoadError: one of its models does not serve.
    """
    judge(config, given, gpu_count=gpu_count)
    models = [
        _step_model(config.name, step.model_name, step.model_version, running)
        for step in config.ensemble_scheduling.step
    ]
    locate = configs.Outline(given.text).locate if given.text else None
    for problem in find_graph_problems(config, models):
        raise configs.as_error(problem, locate=locate, source=given.source)
    decoupled = frozenset(model.name for model in models if model.model_transaction_policy.decoupled)
    config.model_transaction_policy.decoupled |= bool(decoupled)
    return decoupled


def _step_model(ensemble: str, name: str, version: int, running: Running) -> ModelConfig:
    try:
        return running(name, version).config
    except WorkbenchError as exc:
        raise LoadError(f"ensemble {ensemble!r} needs model {name!r}: {exc}") from exc


def spec_of(
    config: ModelConfig, folder: ModelFolder, version: int, *, decoupled_steps: Collection[str] = ()
) -> ModelSpec:
    """What the core is told of one version.

    Raises:
        LoadError: a file of labels, or of an initial state, can not be read.
    """
    labels = _labels(config, folder)
    path = folder.path
    spec = configs.model_spec(config, version=version, path=path, labels=labels, decoupled_steps=decoupled_steps)
    return with_initial_states(spec)


def _labels(config: ModelConfig, folder: ModelFolder) -> dict[str, tuple[str, ...]]:
    files = {output.name: folder.path / output.label_filename for output in config.output if output.label_filename}
    return {name: _lines(name, path) for name, path in files.items()}


def _lines(output: str, path: Path) -> tuple[str, ...]:
    try:
        return tuple(path.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as exc:
        message = f"labels of output {output!r} can not be read from {path}: {exc}"
        raise LoadError(message) from exc


def load_refusal(exc: Exception, name: str, backend: str) -> WorkbenchError:
    """The error for a model that its backend refused; what is no refusal is raised on."""
    refusal = refusal_of(exc)
    if isinstance(exc, WorkbenchError):
        return refusal
    return LoadError(f"backend {backend!r} refused model {name!r}: {refusal} ({refusal.code})")


def _copy(config: ModelConfig) -> ModelConfig:
    copy = ModelConfig()
    copy.CopyFrom(config)
    return copy


def _from_text(text: str, source: str) -> GivenConfig:
    return GivenConfig(configs.parse_config(text, source=source), text, source)
