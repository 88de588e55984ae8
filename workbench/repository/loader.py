# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Makes models of folders and configurations: plans a load, then carries it out. Publishes nothing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from workbench.config import ModelConfig, ModelSpec, from_json, is_ensemble, warmup_specs
from workbench.errors import ConfigError, LoadError, WorkbenchError
from workbench.repository import configuration
from workbench.repository.backend_wishes import NO_SETTINGS, BackendConfig, config_json, with_preferred_group
from workbench.repository.configuration import GivenConfig, Override, Running
from workbench.repository.engine import Backend, Engine, NativeModel, refusal_of
from workbench.repository.live import files_of, is_live_change, with_live_fields
from workbench.repository.memory_limit import DeviceMemory, gpu_load_limits, require_gpu_memory, require_memory
from workbench.repository.source import Fingerprint, ModelFolder
from workbench.repository.strategy import find_strategy
from workbench.repository.versions import describe_policy, select_versions


class Finder(Protocol):
    """Finds the shared object of a backend."""

    def __call__(self, backend: str, folders: tuple[Path, ...], *, file_name: str = "") -> Path:
        """The shared object that serves `backend`, looked for in `folders` first; raises LoadError where none does."""


class Preflight(Protocol):
    """Tries a model in a child process before this one opens it."""

    def __call__(self, library: Path, *, model_config_json: str, version: int, folder: Path) -> None:
        """Raise PreflightError where the shared object does not survive the model."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides what a model becomes: equal plans make equal models."""

    folder: ModelFolder
    given: GivenConfig = field(compare=False)
    config: ModelConfig
    completed: ModelConfig
    libraries: Mapping[int, Path | None]
    strategies: Mapping[int, Path]
    fingerprint: Fingerprint
    decoupled_steps: frozenset[str] = frozenset()

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions that will serve, lowest first."""
        return tuple(self.libraries)

    def keeps(self, other: Plan, version: int) -> bool:
        """True where a version that runs by `other` can take this plan over while it serves."""
        return (
            version in self.libraries
            and version in other.libraries
            and self.libraries[version] is not None
            and self.libraries[version] == other.libraries[version]
            and self.strategies.get(version) == other.strategies.get(version)
            and self.folder == other.folder
            and files_of(self.fingerprint, version) == files_of(other.fingerprint, version)
            and is_live_change(other.config, self.config)
        )


@dataclass(frozen=True, slots=True)
class LoadedVersion:
    """One version of a model that runs."""

    model: NativeModel
    spec: ModelSpec
    config: ModelConfig
    library: Path | None
    """The shared object of its backend; None for an ensemble, which has none."""

    @property
    def version(self) -> int:
        """The version's number."""
        return self.model.version


LOG: Final = logging.getLogger("workbench.repository")
NOTHING: Final[Mapping[int, LoadedVersion]] = {}


class Loader:
    """Plans and carries out loads on one engine.

    Args:
        engine: runs the models.
        finder: finds the shared objects of backends.
        preflight: tries a model before it is made.
        gpu_count: number of GPUs of this machine.
        backend_config: settings that backends are told.
        auto_complete: a model needs no configuration file, and its backend may complete what there is.
        retries: how often a version that can not be made is tried again.
        memory_limit_byte_size: with so many bytes of memory in use no version is made; 0 for no limit.
        device_memory: tells of GPUs, for which the settings of all backends may have limits.

    Threads: any; one model must not be loaded by two threads at once.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        finder: Finder,
        preflight: Preflight,
        gpu_count: int,
        backend_config: BackendConfig = NO_SETTINGS,
        auto_complete: bool = True,
        retries: int = 0,
        memory_limit_byte_size: int = 0,
        device_memory: DeviceMemory | None = None,
    ) -> None:
        self._engine = engine
        self._finder = finder
        self._preflight = preflight
        self._gpu_count = gpu_count
        self._backend_config = backend_config
        self._auto_complete = auto_complete
        self._retries = retries
        self._memory_limit_byte_size = memory_limit_byte_size
        self._device_memory = device_memory
        self._gpu_limits = gpu_load_limits(backend_config.get("", {}))

    def read(self, folder: ModelFolder, override: Override | None) -> GivenConfig:
        """The configuration of a model: the override where there is one, else its file's.

        Raises:
            ConfigError: it is not legal, or there is none and this server completes none.
        """
        return configuration.read(folder, override, file_needed=not self._auto_complete)

    def plan(self, folder: ModelFolder, given: GivenConfig, *, running: Running) -> Plan:
        """What a load of the given configuration would run.

        Args:
            folder: the model's.
            given: its configuration.
            running: where an ensemble finds the models of its steps.

        Raises:
            ConfigError: the configuration is not legal.
            LoadError: no version is served, or the backend is not to be found.
        """
        completed = configuration.complete(given, folder, gpu_count=self._gpu_count)
        if not self._auto_complete:
            configuration.judge(completed, given, gpu_count=self._gpu_count)
        available = folder.versions()
        versions = select_versions(completed, available)
        if not versions:
            there = f"there are {', '.join(map(str, available))}" if available else "there is no version folder"
            message = f"model {folder.name!r} has no version to serve: {describe_policy(completed)} asked, {there}"
            raise LoadError(message)
        if is_ensemble(completed):
            decoupled = configuration.compose(completed, given, gpu_count=self._gpu_count, running=running)
            return Plan(
                folder, given, given.config, completed, dict.fromkeys(versions), {}, folder.fingerprint(), decoupled
            )
        libraries = {version: self._library(completed, folder, version) for version in versions}
        found = {version: find_strategy(completed, folder, version, library) for version, library in libraries.items()}
        strategies = {version: path for version, path in found.items() if path is not None}
        return Plan(folder, given, given.config, completed, libraries, strategies, folder.fingerprint())

    def start(self, plan: Plan, *, keep: Mapping[int, LoadedVersion] = NOTHING) -> tuple[LoadedVersion, ...]:
        """Every version of `plan`, running and not yet published; none where one of them fails.

        Args:
            plan: what to run.
            keep: versions that run already and take the plan over; where that fails they run on as they were.

        Raises:
            PreflightError: the backend did not survive the model in a child process.
            WorkbenchError: the backend refuses the model.
        """
        started: list[LoadedVersion] = []
        changed: list[tuple[LoadedVersion, LoadedVersion]] = []
        try:
            started.extend(self._try_version(plan, version) for version in plan.versions if version not in keep)
            changed.extend((old, self._follow(plan, old)) for old in keep.values())
        except BaseException:
            for version in started:
                version.model.close()
            for old, new in changed:
                _apply(new, old)
            raise
        return (*started, *(new for _, new in changed))

    def _follow(self, plan: Plan, loaded: LoadedVersion) -> LoadedVersion:
        config = with_live_fields(loaded.config, plan.completed)
        wanted = configuration.spec_of(config, plan.folder, loaded.version)
        spec = replace(
            loaded.spec, batching=wanted.batching, instances=wanted.instances, config_json=wanted.config_json
        )
        new = replace(loaded, spec=spec, config=config)
        try:
            _apply(loaded, new)
        except Exception as exc:
            raise configuration.load_refusal(exc, spec.name, spec.backend) from exc
        return new

    def _preferred_spec(self, plan: Plan, spec: ModelSpec, backend: Backend) -> ModelSpec:
        groups = backend.preferred_instance_groups
        config = with_preferred_group(plan.completed, plan.given.config, groups, gpu_count=self._gpu_count)
        return spec if config is plan.completed else self._final_spec(plan, config, spec.version)

    def _library(self, config: ModelConfig, folder: ModelFolder, version: int) -> Path:
        folders = (folder.path / str(version), folder.path)
        return self._finder(config.backend, folders, file_name=config.runtime)

    def _try_version(self, plan: Plan, version: int) -> LoadedVersion:
        for _ in range(self._retries):
            try:
                return self._start_version(plan, version)
            except WorkbenchError as exc:
                LOG.warning("model %s version %d is tried again: %s", plan.folder.name, version, exc)
        return self._start_version(plan, version)

    def _start_version(self, plan: Plan, version: int) -> LoadedVersion:
        require_memory(self._engine, plan.folder.name, self._memory_limit_byte_size)
        if self._gpu_limits and self._device_memory:
            require_gpu_memory(plan.folder.name, plan.completed, self._gpu_limits, self._device_memory)
        library = plan.libraries[version]
        if library is None:
            return self._start_ensemble(plan, version)
        spec = self._final_spec(plan, plan.completed, version)
        self._preflight(library, model_config_json=spec.config_json, version=version, folder=plan.folder.path)
        try:
            return self._open(plan, spec, library)
        except Exception as exc:
            raise configuration.load_refusal(exc, spec.name, spec.backend) from exc

    def _start_ensemble(self, plan: Plan, version: int) -> LoadedVersion:
        spec = configuration.spec_of(plan.completed, plan.folder, version, decoupled_steps=plan.decoupled_steps)
        model = self._engine.create_model(spec, None)
        try:
            model.initialize()
            model.start(spec)
        except Exception as exc:
            model.close()
            raise refusal_of(exc) from exc
        return LoadedVersion(model, spec, plan.completed, None)

    def _open(self, plan: Plan, spec: ModelSpec, library: Path) -> LoadedVersion:
        settings = config_json(self._backend_config, spec.backend, auto_complete=self._auto_complete)
        backend = self._engine.open_backend(name=spec.backend, path=str(library), config_json=settings)
        spec = self._preferred_spec(plan, spec, backend)
        model = self._engine.create_model(spec, backend)
        try:
            config = self._completed(plan, spec, model.initialize())
            spec = self._final_spec(plan, config, spec.version)
            model.start(spec)
        except BaseException:
            model.close()
            raise
        return LoadedVersion(model, spec, config, library)

    def _completed(self, plan: Plan, spec: ModelSpec, told: str) -> ModelConfig:
        """The configuration as the backend completed it, judged."""
        try:
            completed = from_json(spec.config_json)
            config = configuration.completed_by_backend(completed, from_json(told), gpu_count=self._gpu_count)
            configuration.judge(config, plan.given, gpu_count=self._gpu_count)
        except ConfigError as exc:
            exc.stage = "load"  # whatever is wrong with it, the model is being loaded by now
            raise
        return config

    def _final_spec(self, plan: Plan, config: ModelConfig, version: int) -> ModelSpec:
        strategy = plan.strategies.get(version)
        spec = configuration.spec_of(config, plan.folder, version)
        try:
            warmup = warmup_specs(config, plan.folder.path)
        except ConfigError as exc:
            raise configuration.placed(exc, plan.given) from exc
        return replace(spec, batch_strategy=str(strategy or ""), warmup=warmup, may_auto_complete=self._auto_complete)


def _apply(old: LoadedVersion, new: LoadedVersion) -> None:
    if new.spec.instances != old.spec.instances:
        new.model.update_instances(new.spec.instances)
    if new.spec.batching != old.spec.batching:
        new.model.reconfigure(new.spec.batching)
