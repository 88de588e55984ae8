# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what a server's event log tells into a file, for as long as one wants."""

from __future__ import annotations

import logging
import time
from dataclasses import asdict
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Final, Self

from workbench.errors import InvalidArgumentError
from workbench.events import EventNames, RecordingWriter, Snapshot
from workbench.repository import LoadedVersion
from workbench.server.memory import memory_of
from workbench.server.parts import ServerParts

_log = logging.getLogger(__name__)

WRITE_EVERY_S: Final = 0.5
"""A crash loses what came since the last write: well below a second."""
_MOST: Final = 1 << 18
_LATEST: Final = (1 << 63) - 1


class Recorder:
    """A recording under way; `close` ends it, and so does the server's end. Works as a context manager.

    Threads: any.
    """

    def __init__(self, parts: ServerParts, path: str | Path, *, server: str, past: bool = False) -> None:
        self._parts = parts
        self._since = 0 if past else parts.engine.events(_LATEST, 1)[1]
        now_ns, unix_ns = time.monotonic_ns(), time.time_ns()
        self._writer = RecordingWriter(path, began_ns=now_ns, began_unix_ns=unix_ns, server=server)
        self._dropped = 0
        self._writing = Lock()
        self._stop = Event()
        self._failure = ""
        self._thread = Thread(target=self._run, name="wb-record", daemon=True)
        self._thread.start()

    @property
    def path(self) -> Path:
        """The file."""
        return self._writer.path

    @property
    def is_closed(self) -> bool:
        """True once it ended."""
        return self._stop.is_set()

    def close(self) -> Path:
        """Writes the rest and ends the file; a second call does nothing.

        Returns:
            the file's path, for `wb.replay`.
        """
        self._stop.set()
        self._thread.join()
        with self._writing:
            self._writer.close()
        return self.path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = self._failure or ("closed" if self.is_closed else "under way")
        lost = f", {self._dropped} dropped" if self._dropped else ""
        size = self._writer.byte_size / 2**20
        return f"<Recorder {self.path.name}, {state}: {self._writer.records} events{lost}, {size:.1f} MiB>"

    def _run(self) -> None:
        try:
            while not self._stop.wait(WRITE_EVERY_S):
                self._write()
            self._write()
        except OSError as error:  # a full disk ends the recording, never the server
            self._failure = f"ended: {error}"
            self._stop.set()
            _log.exception("the recording %s ended", self.path)

    def _write(self) -> None:
        count = _MOST
        while count == _MOST:
            records, self._since, dropped = self._parts.engine.events(self._since, _MOST)
            count = len(records)
            self._dropped += dropped
            with self._writing:
                self._writer.write(records, self._snapshot(dropped))

    def _snapshot(self, dropped: int) -> Snapshot:
        memory = memory_of(self._parts.engine)
        repository = self._parts.repository
        serving = [loaded for name in repository.names() for loaded in repository.serving(name)]
        return Snapshot(
            now_ns=time.monotonic_ns(),
            next_since=self._since,
            dropped=dropped,
            names=EventNames(memory.models, tuple(pool.name for pool in memory.pools)),
            models=tuple(model_facts(loaded) for loaded in serving),
            pools=tuple(asdict(pool) for pool in memory.pools),
            queues={loaded.model.number: loaded.model.queue_length() for loaded in serving},
            queue_levels={
                loaded.model.number: loaded.model.queue_lengths()
                for loaded in serving
                if loaded.spec.batching.priority_levels
            },
            blocks=memory.records,
            tensors=memory.tensors,
        )


class Recorders:
    """The recordings of one server."""

    def __init__(self) -> None:
        self._running: list[Recorder] = []

    def start(self, parts: ServerParts, path: str | Path, *, server: str, past: bool) -> Recorder:
        """Begins another one.

        Raises:
            InvalidArgumentError: the file is being written by another.
        """
        self._running = [one for one in self._running if not one.is_closed]
        if Path(path).absolute() in {one.path.absolute() for one in self._running}:
            message = f"{str(path)!r} is being written by another recording of this server: close that, or take another"
            raise InvalidArgumentError(message)
        self._running.append(Recorder(parts, path, server=server, past=past))
        return self._running[-1]

    def close(self) -> None:
        """Ends them all."""
        for recorder in self._running:
            recorder.close()


def model_facts(loaded: LoadedVersion) -> dict[str, Any]:
    """What a recording keeps of a model's configuration, as plain values."""
    spec = loaded.spec
    return {
        "number": loaded.model.number,
        "name": spec.name,
        "version": spec.version,
        "max_batch_size": spec.max_batch_size,
        "dynamic": spec.batching.dynamic,
        "max_queue_delay_microseconds": spec.batching.max_queue_delay_ns // 1_000,
        "preferred_batch_size": list(spec.batching.preferred_batch_size),
        "priority_levels": spec.batching.priority_levels,
        "default_priority_level": spec.batching.default_priority_level,
        "instances": [[instance.kind, instance.device_id] for instance in spec.instances],
        "steps": [step.model_name for step in spec.ensemble.steps] if spec.ensemble else [],
    }
