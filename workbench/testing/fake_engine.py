# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A core made of Python, for tests of what stands on it: it echoes inputs as outputs, when it is told to.

It implements the protocols of `workbench.repository.engine` and keeps their preconditions: a model that is closed
with requests in flight, or twice, raises.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Mapping, Sequence
from threading import Condition, Event, Lock, Thread
from typing import Any

import numpy as np

from workbench.events import EVENT_DTYPE
from workbench.testing.fake_call import FakeCall, FakeResponse
from workbench.testing.fake_model import FakeBackend, FakeModel, StatusError

__all__ = ["FakeCall", "FakeEngine", "FakeModel", "FakeResponse", "StatusError"]


BLOCK_DTYPE = np.dtype(
    [
        ("address", "<u8"), ("byte_size", "<u8"), ("slab", "<u8"), ("model", "<u2"), ("instance", "<u2"),
        ("tensor", "<u2"), ("is_free", "<u2"),
    ]
)  # fmt: skip
"""Rows of `pool_blocks`."""


class FakeEngine:
    """The core of a server, in Python.

    Args:
        is_held: requests wait for `answer` instead of being answered at once.
        refusals: what `start` of a model raises, by model name.
    """

    def __init__(self, *, is_held: bool = False, refusals: Mapping[str, Exception] | None = None) -> None:
        self.is_held = is_held
        self.refusals = dict(refusals or {})
        self.response: FakeResponse | None = None
        self.models: list[FakeModel] = []
        self.sent: list[FakeCall] = []
        self.records = np.zeros(0, EVENT_DTYPE)
        self.traced: dict[str, tuple[int, int, int]] = {}
        self.traces: list[dict[str, Any]] = []
        self._published: dict[tuple[str, int], FakeModel] = {}
        self._backends: dict[str, FakeBackend] = {}
        self._serials = itertools.count(1)
        self._lock = Lock()
        self._completed: deque[FakeCall] = deque()
        self._completion = Condition()

    def open_backend(self, *, name: str, path: str, config_json: str = "{}") -> FakeBackend:
        """The same path is the same object."""
        json.loads(config_json)
        return self._backends.setdefault(path, FakeBackend(name, path))

    def create_model(self, spec: Any, backend: FakeBackend) -> FakeModel:
        """A model that is not published."""
        if refusal := self.refusals.get(spec.name):
            raise refusal
        with self._lock:
            self.models.append(FakeModel(spec, backend, len(self.models) + 1))
            return self.models[-1]

    def publish(self, model: FakeModel) -> None:
        """Let its name mean this model."""
        assert model.state == "started", f"{model.name} is published while {model.state}"
        with self._lock:
            self._published[model.name, model.version] = model

    def retire(self, model: FakeModel, *, keep_sequences: bool = False) -> None:
        """Forget its name."""
        del keep_sequences
        with self._lock:
            if self._published.get((model.name, model.version)) is model:
                del self._published[model.name, model.version]

    def submit(
        self,
        model: str,
        version: int,
        inputs: Sequence[tuple[str, str, tuple[int, ...], Any]],
        *,
        outputs: Sequence[str] = (),
        request_id: str = "",
        queue: bool = False,
        **options: Any,
    ) -> FakeCall:
        """Take a request."""
        with self._lock:
            target = self._target(model, version)
            call = FakeCall(
                next(self._serials), target, inputs, request_id=request_id, wanted=tuple(outputs), queue=queue,
                options=options,
            )  # fmt: skip
            call.on_cancel = lambda: self.answer(call, FakeResponse([], error=("CANCELLED", "cancelled")))
            self.sent.append(call)
            target.take(call)
        if not self.is_held:
            self.answer(call)
        return call

    def infer_arrays(self, model: str, version: int, inputs: dict[str, Any]) -> None:
        """Leave every request to `submit`."""

    def answer(self, call: FakeCall, response: FakeResponse | None = None) -> None:
        """Answer a request: with `self.response`, or its inputs, where no response is given."""
        response = response or self.response or self.echo(call)
        call.target.answer(call, response)
        if call.queue and response.is_final:
            with self._completion:
                self._completed.append(call)
                self._completion.notify_all()

    def answer_soon(self, call: FakeCall) -> None:
        """Answer a request from another thread once its model is being drained."""

        def run() -> None:
            if call.target.draining.wait(5.0):
                self.answer(call)

        Thread(target=run).start()

    def completed(self, timeout_s: float) -> list[FakeCall]:
        """Calls submitted with `queue` that are answered."""
        with self._completion:
            self._completion.wait_for(lambda: self._completed, timeout_s)
            calls = list(self._completed)
            self._completed.clear()
        return calls

    def in_flight_calls(self) -> list[FakeCall]:
        """Every request without an answer."""
        return [call for model in self.models for call in model.requests]

    def events(self, since: int, limit: int) -> tuple[np.ndarray[Any, Any], int, int]:
        """`self.records`, which a test fills."""
        return self.records[since : since + limit], min(since + limit, len(self.records)), 0

    def model_names(self) -> list[tuple[str, int]]:
        """Names by model number."""
        return [("", 0), *((model.name, model.version) for model in self.models)]

    def pools(self) -> list[dict[str, Any]]:
        """One pool, empty."""
        sizes = ("live_byte_size", "reserved_byte_size", "peak_byte_size", "limit_byte_size")
        return [{"name": "system", **dict.fromkeys((*sizes, "allocations", "failures", "fallbacks"), 0)}]

    def cache_statistics(self) -> dict[str, int] | None:
        """No cache."""
        return None

    def copy_to_host(self, memory: Any) -> np.ndarray[Any, Any]:
        """The bytes, which lie in the host's memory already."""
        return np.frombuffer(memory, np.uint8)

    def tensor_names(self) -> list[str]:
        """None."""
        return [""]

    def pool_blocks(self, pool: str) -> np.ndarray[Any, Any]:
        """No blocks."""
        del pool
        return np.zeros(0, BLOCK_DTYPE)

    def in_flight(self) -> int:
        """Requests without an answer."""
        return len(self.in_flight_calls())

    @property
    def server_handle(self) -> int:
        """There is no server behind it."""
        return 0

    def metrics_page(self) -> str:
        """Nothing to tell."""
        return ""

    def set_trace(self, model: str, *, level: int, rate: int, count: int) -> None:
        """Remember what is traced."""
        self.traced[model] = (level, rate, count)

    def clear_trace(self, model: str) -> None:
        """Forget it."""
        self.traced.pop(model, None)

    def take_traces(self) -> tuple[list[dict[str, Any]], int]:
        """What a test put there."""
        taken, self.traces = self.traces, []
        return taken, 0

    def wait_for_traces(self, timeout_s: float) -> bool:
        """Whether a test put some there; it does not wake who waits."""
        return bool(self.traces) or Event().wait(timeout_s)

    def _target(self, name: str, version: int) -> FakeModel:
        versions = {number: model for (other, number), model in self._published.items() if other == name}
        if not versions or (version != -1 and version not in versions):
            raise StatusError("NOT_FOUND", f"no model {name!r} version {version}")
        return versions[max(versions) if version == -1 else version]

    @staticmethod
    def echo(call: FakeCall) -> FakeResponse:
        """The inputs of a request under the names of the outputs."""
        spec = call.target.spec
        outputs = []
        for (_, datatype, shape, buffer), output in zip(call.inputs, spec.outputs, strict=False):
            if not call.wanted or output.name in call.wanted:
                raw = np.frombuffer(memoryview(buffer).tobytes(), np.uint8)
                outputs.append((output.name, datatype, shape, raw))
        return FakeResponse(outputs)
