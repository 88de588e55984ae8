# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The server in the kernel: wires the repository, the core and the backends together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Final, Self

from workbench.build import watch_for_crashes
from workbench.errors import LoadError, UnavailableError, UnsupportedError
from workbench.repository import ConfigOverride, Engine, Loader, ModelRepository, Poll, Sources
from workbench.server.builds import Trial, built_library, on_build
from workbench.server.completions import Completions
from workbench.server.devices import gpu_count
from workbench.server.finder import BackendFinder
from workbench.server.index import ModelIndex
from workbench.server.log_pump import PUMP
from workbench.server.metrics_config import metrics_options
from workbench.server.model import Model
from workbench.server.observed import ObservedServer
from workbench.server.options import DEFAULTS, ControlMode, ServerOptions
from workbench.server.parts import ServerParts
from workbench.server.running import RUNNING
from workbench.server.trace import TraceBook

_NONE: Final[Mapping[str, Any]] = {}


class Server(ObservedServer):
    """A Triton-compatible server in this process.

    A new server of a name replaces the old one, which answers what it took and closes in the background; so a cell
    that makes a server may run again. Works as a context manager; without one it closes with the process.

    Args:
        repository: the model repository, a folder, or several.
        name: the server's name in this process.
        control: "explicit" loads and unloads by name; "none" loads every model at the start and then none; "poll" loads
            every model and follows changes of the files.
        backends: folders of backends, `<folder>/<name>/libtriton_<name>.so`.
        startup_models: models to load at the start; "*" means all.
        poll_s: seconds between two looks at the files with control "poll".
        exit_on_error: a model that can not be loaded at the start stops the server.
        exit_timeout_s: seconds that requests in flight get when the server closes.
        pool_byte_size: size of the pool that response buffers come from.
        event_byte_size: size of the event log; the oldest events are dropped, and counted, when it is full.
        metrics_config: what `metrics` tells beside counters: "summary_latencies", "summary_quantiles",
            "histogram_latencies", "counter_latencies".
        backend_config: settings that backends are told when they are opened, by backend; those of "" are for all.
        engine: the core to run on; one of its own where None.

    Raises:
        NotFoundError: a folder is not there.
        InvalidArgumentError: an option is wrong.
        LoadError: a model could not be loaded at the start.

    Threads: any.
    """

    def __init__(
        self,
        repository: str | Path | Iterable[str | Path],
        *,
        name: str = "default",
        control: ControlMode = "explicit",
        backends: Iterable[str | Path] = (),
        startup_models: Iterable[str] = (),
        poll_s: float = DEFAULTS.poll_s,
        exit_on_error: bool = True,
        exit_timeout_s: float = 30.0,
        pool_byte_size: int = DEFAULTS.pool_byte_size,
        event_byte_size: int = DEFAULTS.event_byte_size,
        metrics_config: Mapping[str, str | bool] = _NONE,
        backend_config: Mapping[str, Mapping[str, str]] = _NONE,
        engine: Engine | None = None,
    ) -> None:
        self.options: Final = ServerOptions(
            name=name,
            control=control,
            backends=tuple(Path(folder).expanduser().resolve() for folder in backends),
            startup_models=tuple(startup_models),
            poll_s=poll_s,
            exit_on_error=exit_on_error,
            exit_timeout_s=exit_timeout_s,
            pool_byte_size=pool_byte_size,
            event_byte_size=event_byte_size,
            metrics_config=dict(metrics_config),
        )
        self.exit_timeout_s = exit_timeout_s
        sources = Sources.of(repository)
        finder = BackendFinder(built=built_library, folders=self.options.backends)
        core = engine or _new_engine(self.options)
        loader = Loader(
            core, finder=finder, preflight=Trial(finder), gpu_count=gpu_count(), backend_config=backend_config
        )
        models = ModelRepository(sources, engine=core, loader=loader)
        self._parts = ServerParts(core, models, Completions(core))
        self._traces = TraceBook(core)
        self._closing = Lock()
        self._is_closed = False
        self._ignore_builds = on_build(models.move_users)
        self._poll = Poll(sources, load=models.load, unload=models.unload)
        self._start()
        RUNNING.add(self)

    @property
    def name(self) -> str:
        """The server's name in this process."""
        return self.options.name

    @property
    def engine(self) -> Engine:
        """The core that runs its models."""
        return self._parts.engine

    @property
    def is_closed(self) -> bool:
        """True once `close` was called."""
        return self._is_closed

    def load(self, name: str, *, config: ConfigOverride | None = None) -> Model:
        """Make a model ready, or replace it by one of a changed configuration or changed files.

        What serves goes on until the new one is ready; nothing happens where nothing changed.

        Args:
            name: the model; its folder in the repository. With `config` no folder is needed.
            config: replaces the configuration of the file wholly: text, JSON, a mapping or a message.

        Raises:
            NotFoundError: no repository has the model.
            ConfigError: the configuration is not legal.
            LoadError, PreflightError: the model can not be made ready.
            UnavailableError: the control mode is not "explicit".
        """
        self._require_explicit("load", name)
        self._parts.repository.load(name, config=config)
        return Model(self._parts, name)

    def unload(self, name: str, *, unload_dependents: bool = False) -> None:
        """Take no more requests for a model; those in flight are answered. An unknown name is fine.

        Ensembles that run on the model become unavailable until it is loaded again.

        Args:
            name: the model.
            unload_dependents: unload the models of an ensemble's steps, too, unless they were loaded by name or
                another ensemble needs them.

        Raises:
            UnavailableError: the control mode is not "explicit".
        """
        self._require_explicit("unload", name)
        self._parts.repository.unload(name, dependents=unload_dependents)

    def model(self, name: str, *, version: int = -1) -> Model:
        """A model that is ready; -1 stands for its highest version, whatever that is when it is called.

        Raises:
            NotFoundError: no such model, or no such version.
            UnavailableError: it is not ready.
        """
        self._parts.repository.version(name, version)
        return Model(self._parts, name, version=version)

    def index(self, *, ready: bool = False) -> ModelIndex:
        """Every version of every model with its state; with `ready` only those that take requests."""
        return ModelIndex(self._parts.repository.index(ready=ready))

    def write_config(self, name: str, text: str) -> Path:
        """Write the text of a model's config.pbtxt into the repository, where the model may be new; loads nothing.

        Returns:
            The file.
        """
        return self._parts.repository.sources.write_config(name, text)

    def poll(self) -> None:
        """Look at the repository now, and follow what changed.

        Raises:
            UnavailableError: the control mode is not "poll".
        """
        if self.options.control != "poll":
            message = f"the server {self.name!r} does not poll: control is {self.options.control!r}, not 'poll'"
            raise UnavailableError(message)
        self._poll.look()

    def register_repository(self, path: str | Path, *, names: Mapping[str, str] = _NONE) -> None:
        """Serve models of a further folder, which are loaded by name like the others.

        Args:
            path: the folder.
            names: the subfolders of models that are not called like their folders, by the models' names.

        Raises:
            InvalidArgumentError: there is no such folder.
            AlreadyExistsError: it is served from already, or one of the names is taken.
            UnsupportedError: the control mode is not "explicit".
        """
        self._require_registration()
        self._parts.repository.register(path, names)

    def unregister_repository(self, path: str | Path) -> None:
        """Load no more models from a folder; those that run go on.

        Raises:
            InvalidArgumentError: it is not served from.
            UnsupportedError: the control mode is not "explicit".
        """
        self._require_registration()
        self._parts.repository.unregister(path)

    def wait_settled(self, timeout_s: float = 30.0) -> bool:
        """Wait until replaced models are closed and moves to new backends done; False where that took too long."""
        return self._parts.repository.wait_settled(timeout_s)

    def close(self) -> bool:
        """Refuse new requests, answer those in flight, unload every model; a second call does nothing.

        Returns:
            False where requests were still in flight after `exit_timeout_s`.
        """
        with self._closing:
            if self._is_closed:
                return True
            self._is_closed = True
        RUNNING.remove(self)
        self._ignore_builds()
        self._poll.close()
        drained = self._parts.repository.close(self.exit_timeout_s)
        self._parts.completions.close()
        self._traces.traces()
        return drained

    shutdown = close

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<Server {self.name} closed>"
        ready = len(self._parts.repository.index(ready=True))
        models = f"{ready} model{'' if ready == 1 else 's'}"
        return f"<Server {self.name} ready, {models}, {self._parts.engine.in_flight()} in flight>"

    def _repr_html_(self) -> str:
        return f"<p><b>{self.name}</b> serves {self._parts.repository.sources}</p>{self.index()._repr_html_()}"

    def _require_registration(self) -> None:
        if self.options.control != "explicit":
            message = f"repositories come and go with control='explicit' alone; control is {self.options.control!r}"
            raise UnsupportedError(message)

    def _require_explicit(self, verb: str, name: str) -> None:
        if self._is_closed:
            message = f"{verb} of {name!r}: the server {self.name!r} is closed"
            raise UnavailableError(message)
        if self.options.control != "explicit":
            message = f"{verb} of {name!r} is not allowed with control={self.options.control!r}: use control='explicit'"
            raise UnavailableError(message)

    def _start(self) -> None:
        if self.options.control == "poll":
            self._poll.look()
            self._poll.start(self.options.poll_s)
            return
        wanted = self.options.startup_models
        everything = self.options.control == "none" or "*" in wanted
        errors = self._parts.repository.load_all(self._parts.repository.sources.names() if everything else wanted)
        if errors and self.options.exit_on_error:
            self.close()
            told = "; ".join(f"{name}: {error}" for name, error in errors.items())
            message = f"the server does not start, since {len(errors)} of its models can not be loaded: {told}"
            raise LoadError(message)


def _new_engine(options: ServerOptions) -> Engine:
    # The core comes with the first server, so that importing workbench stays light.
    from workbench import _native

    watch_for_crashes()
    PUMP.start()
    return _native.Engine(
        name=options.name,
        pool_byte_size=options.pool_byte_size,
        event_byte_size=options.event_byte_size,
        metrics=metrics_options(options.metrics_config),
    )
