# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The backends that were built in this process, and who wants to hear of new ones. Any thread may call."""

from __future__ import annotations

import threading
from collections.abc import Callable

from workbench.build.library import Library

Subscriber = Callable[[Library], None]


class Registry:
    """The newest library of each name. Subscribers are called on the thread that builds, without a lock held."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._libraries: dict[str, Library] = {}
        self._subscribers: list[Subscriber] = []

    def __repr__(self) -> str:
        return f"<Registry {', '.join(sorted(self._libraries)) or 'empty'}>"

    def built(self, name: str) -> Library | None:
        """The newest library of that name, None where none was built."""
        with self._lock:
            return self._libraries.get(name)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` with every library from now on, in the order of subscription; returns what ends that."""
        with self._lock:
            self._subscribers.append(subscriber)
        return lambda: self._unsubscribe(subscriber)

    def publish(self, library: Library) -> None:
        """Make `library` the newest of its name and tell all subscribers, unless it is already.

        An exception of a subscriber reaches the caller after all were told.
        """
        with self._lock:
            known = self._libraries.get(library.name)
            self._libraries[library.name] = library
            subscribers = tuple(self._subscribers)
        if known is not None and known.path == library.path:
            return
        failures = [failure for subscriber in subscribers if (failure := _tell(subscriber, library)) is not None]
        if failures:
            raise failures[0]

    def _unsubscribe(self, subscriber: Subscriber) -> None:
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)


def _tell(subscriber: Subscriber, library: Library) -> Exception | None:
    try:
        subscriber(library)
    except Exception as exc:  # noqa: BLE001 - the others must hear too; the caller gets it
        return exc
    return None


_REGISTRY = Registry()
built = _REGISTRY.built
subscribe = _REGISTRY.subscribe
publish = _REGISTRY.publish
