# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models of the core made of Python; they keep the preconditions of the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition, Event
from typing import Any, Literal

from workbench.testing.fake_call import FakeCall, FakeResponse


class StatusError(Exception):
    """A refusal of the core; `code` is the name of its status."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class FakeBackend:
    """A shared object that nobody opened."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path
        self.preferred_instance_groups: list[tuple[str, int, tuple[int, ...]]] = []


class FakeModel:
    """One version of a model; `requests` are those in flight.

    `state` goes created, initialized, started, closed.
    """

    def __init__(self, spec: Any, backend: FakeBackend, number: int) -> None:
        self.spec = spec
        self.backend = backend
        self.name: str = spec.name
        self.version: int = spec.version
        self.number = number
        self.state: Literal["created", "initialized", "started", "closed"] = "created"
        self.batching = spec.batching
        self.instances = tuple(instance.name for instance in getattr(spec, "instances", ()))
        self.requests: list[FakeCall] = []
        self.answered = 0
        self.draining = Event()
        self._condition = Condition()

    def initialize(self) -> str:
        """Complete nothing."""
        self._advance("created", "initialized")
        config_json: str = self.spec.config_json
        return config_json

    def start(self, spec: Any) -> None:
        """Take the completed spec."""
        self._advance("initialized", "started")
        self.spec, self.batching = spec, spec.batching

    def reconfigure(self, batching: object) -> None:
        """Take another batching policy."""
        assert self.state == "started", f"reconfigure of a model that is {self.state}"
        self.batching = batching

    def update_instances(self, instances: Sequence[Any]) -> None:
        """Have other instances, unless one of them is called `refused`."""
        assert self.state == "started", f"instances of a model that is {self.state}"
        if any(instance.name.startswith("refused") for instance in instances):
            raise StatusError("INTERNAL", "no weights")
        self.instances = tuple(instance.name for instance in instances)

    def drain(self, timeout_s: float) -> bool:
        """Wait until nothing is in flight."""
        self.draining.set()
        with self._condition:
            return self._condition.wait_for(lambda: not self.requests, timeout_s)

    def close(self) -> None:
        """End it."""
        assert not self.requests, f"{self.name} is closed with {len(self.requests)} requests in flight"
        assert self.state != "closed", f"{self.name} is closed twice"
        self.state = "closed"

    def statistics(self) -> dict[str, Any]:
        """Counts, no times."""
        count = self.answered
        durations = ("queue", "compute_input", "compute_infer", "compute_output", "success")
        return {
            **{name: {"count": count, "ns": 1000 * count} for name in durations},
            "fail": {"count": 0, "ns": 0},
            "inference_count": count,
            "execution_count": count,
            "batch_stats": [],
            "last_inference_ns": 0,
        }

    def queue_length(self) -> int:
        """Nothing ever queues here."""
        return 0

    def queue_lengths(self) -> dict[int, int]:
        """Nor at any priority."""
        return {}

    def in_flight_requests(self) -> list[tuple[int, str, int]]:
        """Requests without an answer."""
        return [(number, call.request_id, 0) for number, call in enumerate(self.requests, start=1)]

    def in_flight(self) -> int:
        """Requests without an answer."""
        return len(self.requests)

    def take(self, call: FakeCall) -> None:
        """A request arrives."""
        assert self.state == "started", f"a request for a model that is {self.state}"
        with self._condition:
            self.requests.append(call)

    def answer(self, call: FakeCall, response: FakeResponse) -> None:
        """Answer one request; the final response releases it."""
        with self._condition:
            if call not in self.requests:
                return
            if response.is_final:
                self.requests.remove(call)
                self.answered += 1
        # Whoever waits for the answer finds the request released.
        call.answer(response)
        with self._condition:
            self._condition.notify_all()

    def _advance(self, before: str, after: Literal["initialized", "started"]) -> None:
        assert self.state == before, f"{self.name} is {self.state}, not {before}"
        self.state = after
