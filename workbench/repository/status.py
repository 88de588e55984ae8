# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the repository says of its models: the states of their versions, and the index that lists them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Literal

from workbench.errors import NotFoundError, NotReadyError, UnavailableError, WorkbenchError
from workbench.repository.loader import LoadedVersion, Plan

State = Literal["", "LOADING", "READY", "UNLOADING", "UNAVAILABLE"]

UNLOADED: Final = "unloaded"
"""Why a model does not serve that nobody wants any more."""
_DIGEST_LETTERS: Final = 12
_UNLOADING: Final[tuple[State, str]] = ("UNLOADING", "requests in flight are answered first")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One line of the index.

    Attributes:
        name: the model.
        version: its version; 0 where no version is known.
        state: "" for a model that was never loaded.
        reason: why it is in that state; of a READY one, why its last reload failed.
        library: the shared object that runs; None where none does.
    """

    name: str
    version: int = 0
    state: State = ""
    reason: str = ""
    library: Path | None = None

    @property
    def is_gone(self) -> bool:
        """True for a version that served and was unloaded."""
        return self.state == "UNAVAILABLE" and self.reason == UNLOADED

    @property
    def digest(self) -> str:
        """First letters of the SHA-256 of the shared object that runs; "" where none does."""
        if self.library is None or not self.library.is_file():
            return ""
        return sha256(self.library.read_bytes()).hexdigest()[:_DIGEST_LETTERS]


@dataclass(slots=True)
class _Record:
    plan: Plan | None = None
    loaded: dict[int, LoadedVersion] = field(default_factory=dict)
    states: dict[int, tuple[State, str]] = field(default_factory=dict)
    refusal: str = ""
    parting: str = UNLOADED

    def entries(self, name: str) -> tuple[IndexEntry, ...]:
        if not self.states:
            return (IndexEntry(name, state="UNAVAILABLE" if self.refusal else "", reason=self.refusal),)
        return tuple(self._entry(name, version) for version in sorted(self.states))

    def _entry(self, name: str, version: int) -> IndexEntry:
        state, reason = self.states[version]
        loaded = self.loaded.get(version)
        return IndexEntry(
            name, version, state, reason or (self.refusal if loaded else ""), loaded.library if loaded else None
        )


class ModelStates:
    """The states of all models.

    Threads: any; the changes of one model come one after the other.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._records: dict[str, _Record] = {}

    def loading(self, name: str, versions: Iterable[int]) -> None:
        """`versions` are being made ready; those that serve go on."""
        with self._lock:
            record = self._records.setdefault(name, _Record())
            record.states.update({version: ("LOADING", "") for version in versions if version not in record.loaded})

    def refused(self, name: str, reason: str) -> None:
        """A load failed; what served still does."""
        with self._lock:
            record = self._records.setdefault(name, _Record())
            record.refusal = reason
            for version, (state, _) in record.states.items():
                if state == "LOADING":
                    record.states[version] = ("UNAVAILABLE", reason)

    def ready(self, name: str, plan: Plan, loaded: Iterable[LoadedVersion]) -> tuple[LoadedVersion, ...]:
        """`loaded` serve from now on; returns those that served before."""
        with self._lock:
            record = self._records.setdefault(name, _Record())
            before = tuple(record.loaded.values())
            record.plan, record.refusal, record.parting = plan, "", UNLOADED
            record.loaded = {version.version: version for version in loaded}
            record.states.update(dict.fromkeys(record.loaded, ("READY", "")))
        return before

    def withdrawn(self, name: str, *, reason: str = UNLOADED) -> tuple[LoadedVersion, ...]:
        """No version of the model takes requests any more, for a reason; returns those that did."""
        with self._lock:
            record = self._records.get(name, _Record())
            record.parting = reason
            before = tuple(record.loaded.values())
            record.loaded = {}
            record.states.update({loaded.version: _UNLOADING for loaded in before})
        return before

    def unloading(self, name: str, version: int) -> None:
        """A version answers what it took and nothing more."""
        with self._lock:
            self._records[name].states[version] = _UNLOADING

    def closed(self, name: str, version: int) -> None:
        """A version that was unloading is gone."""
        with self._lock:
            record = self._records[name]
            if record.states[version][0] == "UNLOADING":
                record.states[version] = ("UNAVAILABLE", record.parting)

    def names(self) -> tuple[str, ...]:
        """Every model that was ever loaded or refused."""
        with self._lock:
            return tuple(self._records)

    def entries(self, names: Iterable[str]) -> tuple[IndexEntry, ...]:
        """The index of `names`, in their order."""
        with self._lock:
            return tuple(entry for name in names for entry in self._records.get(name, _Record()).entries(name))

    def index(self, there: Iterable[str], *, ready: bool) -> tuple[IndexEntry, ...]:
        """The index of the models that are `there` or were loaded from elsewhere; with `ready` of those that serve."""
        entries = self.entries(sorted({*there, *self.names()}))
        if ready:
            return tuple(entry for entry in entries if entry.state == "READY")
        gone = {entry.name for entry in entries if entry.is_gone} - set(there)
        forgotten = {name for name in gone if (folder := self._folder(name)) is not None and not folder.is_dir()}
        return tuple(entry for entry in entries if entry.name not in forgotten or not entry.is_gone)

    def plan(self, name: str) -> Plan | None:
        """What serves under `name`; None where nothing does."""
        with self._lock:
            record = self._records.get(name)
            return record.plan if record and record.loaded else None

    def _folder(self, name: str) -> Path | None:
        """Where the model lay that serves or served last; None where none did."""
        with self._lock:
            record = self._records.get(name)
            return record.plan.folder.path if record and record.plan else None

    def serving(self, name: str) -> tuple[LoadedVersion, ...]:
        """The versions that take requests."""
        with self._lock:
            record = self._records.get(name)
            return tuple(record.loaded.values()) if record else ()

    def version(self, name: str, version: int) -> LoadedVersion:
        """A version that takes requests; -1 is the highest.

        Raises:
            NotFoundError: there is no such model, or no such version of it.
            UnavailableError: the model is known and not ready.
        """
        serving = {loaded.version: loaded for loaded in self.serving(name)}
        if serving and (version == -1 or version in serving):
            return serving[max(serving) if version == -1 else version]
        raise self._missing(name, version, tuple(serving))

    def _missing(self, name: str, version: int, serving: tuple[int, ...]) -> WorkbenchError:
        entries = self.entries([name])
        for entry in entries:
            if entry.version == version:
                return UnavailableError(f"version {version} of {_not_ready(entry)}")
        if serving:
            there = ", ".join(map(str, sorted(serving)))
            return NotFoundError(f"model {name!r} has no version {version} that is ready; there is {there}")
        if entries[0].state:
            return NotReadyError(f"{_not_ready(entries[0])}; load it: server.load({name!r})")
        ready = ", ".join(other for other in sorted(self.names()) if self.serving(other)) or "none"
        return NotFoundError(f"Request for unknown model: no model {name!r} is loaded; ready are: {ready}")


def _not_ready(entry: IndexEntry) -> str:
    reason = f" ({entry.reason})" if entry.reason else ""
    return f"model {entry.name!r} is {entry.state}{reason}"
