# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the control plane needs of the core: the part of `workbench._native` that loads and serves models.

These protocols are the seam: `workbench._native` implements them, and so does `workbench.testing.FakeEngine`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from workbench.errors import WorkbenchError, error_for

InputTensor: TypeAlias = tuple[str, str, tuple[int, ...], Any]
"""Name, data type, shape, contiguous buffer."""
OutputTensor: TypeAlias = tuple[str, str, tuple[int, ...], np.ndarray[Any, Any]]
"""Name, data type, shape, bytes."""


class Backend(Protocol):
    """A loaded shared object."""

    @property
    def name(self) -> str:
        """The name that models call it by."""

    @property
    def path(self) -> str:
        """Its file."""

    @property
    def preferred_instance_groups(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """Kind, count (0: as the server likes) and devices of the groups that it wishes for, the best first."""


class NativeModel(Protocol):
    """One version of a model: its instances, scheduler and counters."""

    @property
    def name(self) -> str:
        """The model's name."""

    @property
    def version(self) -> int:
        """Its version."""

    @property
    def number(self) -> int:
        """Its number in the events."""

    def initialize(self) -> str:
        """Let the backend initialize the model; returns the configuration's JSON as the backend completed it."""

    def start(self, spec: object) -> None:
        """Create the instances and run the scheduler."""

    def reconfigure(self, batching: object) -> None:
        """Let the scheduler follow another batching policy from now on."""

    def update_instances(self, instances: Sequence[object]) -> None:
        """Have these instances from now on; requests go on. On failure they stay as they were."""

    def drain(self, timeout_s: float) -> bool:
        """Wait until nothing is in flight."""

    def close(self) -> None:
        """Finalize the instances and the model; nothing may be in flight."""

    def statistics(self) -> dict[str, Any]:
        """Counters by the names of the protocol."""

    def queue_length(self) -> int:
        """Requests that wait."""

    def queue_lengths(self) -> dict[int, int]:
        """Requests that wait, by priority level; empty where priorities are not told apart."""

    def in_flight(self) -> int:
        """Requests without an answer."""

    def in_flight_requests(self) -> list[tuple[int, str, int]]:
        """Number in the events, first letters of the id and steady time of arrival of each, oldest first."""


class Response(Protocol):
    """One response of a request."""

    @property
    def error(self) -> tuple[str, str] | None:
        """Name of the status and message; None where it is no error."""

    @property
    def outputs(self) -> list[OutputTensor]:
        """The tensors; their bytes keep the response alive."""

    @property
    def parameters(self) -> dict[str, Any]:
        """What the backend added."""

    @property
    def is_final(self) -> bool:
        """No further response follows."""


class Call(Protocol):
    """One request in flight."""

    @property
    def serial(self) -> int:
        """Number of the request in the events."""

    @property
    def request_id(self) -> str:
        """The caller's own name for it."""

    @property
    def finished(self) -> bool:
        """No further response will come."""

    def wait(self, timeout_s: float) -> bool:
        """Wait for the final response and the release."""

    def cancel(self) -> None:
        """Ask for an early end."""

    def take(self, timeout_s: float) -> Response | None:
        """The next response in order; None where none came in time, or none will."""


class Engine(Protocol):
    """The core of one server."""

    def open_backend(self, *, name: str, path: str, config_json: str = "{}") -> Backend:
        """Open a shared object; the same path gives the same object."""

    def create_model(self, spec: object, backend: Any) -> NativeModel:
        """A model that runs nothing yet; `backend` is None for an ensemble."""

    def publish(self, model: Any) -> None:
        """Let the name and version mean this model; one published before takes no more requests."""

    def retire(self, model: Any, *, keep_sequences: bool = False) -> None:
        """Let the name and version mean nothing; what was taken is answered.

        With `keep_sequences` requests that go on an open sequence are taken until it ends, or until this is called
        without.
        """

    def submit(
        self,
        model: str,
        version: int,
        inputs: Sequence[InputTensor],
        *,
        outputs: Sequence[str] = (),
        request_id: str = "",
        priority: int = 0,
        timeout_us: int = 0,
        correlation_id: int | str = 0,
        flags: int = 0,
        parameters: Mapping[str, int | float | bool | str] = ...,
        queue: bool = False,
        device_outputs: bool = False,
        copies: Mapping[str, int] = ...,
    ) -> Call:
        """Send a request; its buffers are borrowed until it is released."""

    def infer_arrays(
        self, model: str, version: int, inputs: dict[str, Any]
    ) -> tuple[dict[str, np.ndarray[Any, Any]], None, int] | tuple[None, Response | None, Call] | None:
        """Send a request without options and wait for its response: the short way for plain arrays.

        Returns:
            The outputs and the request's serial; or the response, where it is no single one of plain arrays, and the
            call; or None where an input is no contiguous array of a type of the protocol, and nothing was sent.
        """

    def completed(self, timeout_s: float) -> Sequence[Call]:
        """Calls submitted with `queue` that have their final response."""

    def events(self, since: int, limit: int) -> tuple[np.ndarray[Any, Any], int, int]:
        """Records from a sequence number on, the next number, how many were dropped."""

    def model_names(self) -> list[tuple[str, int]]:
        """Names and versions by the events' model number."""

    def pools(self) -> list[dict[str, Any]]:
        """Figures of the memory pools."""

    def cache_statistics(self) -> dict[str, int] | None:
        """Figures of the response cache; None where there is none."""

    def copy_to_host(self, memory: Any) -> np.ndarray[Any, Any]:
        """Bytes of a GPU's memory, copied."""

    def tensor_names(self) -> list[str]:
        """Names by the number that blocks and memory events bear; the first is nobody's."""

    def pool_blocks(self, pool: str) -> np.ndarray[Any, Any]:
        """The blocks of one pool."""

    def in_flight(self) -> int:
        """Requests without an answer."""

    @property
    def server_handle(self) -> int:
        """Address of the server as the C interface names it."""
        ...

    def metrics_page(self) -> str:
        """The metrics page, as Prometheus reads it."""

    def set_trace(self, model: str, *, level: int, rate: int, count: int) -> None:
        """Trace requests of a model, or of every model without settings of its own ("")."""

    def clear_trace(self, model: str) -> None:
        """Forget such settings."""

    def take_traces(self) -> tuple[list[dict[str, Any]], int]:
        """Traces that ended since the last call, and how many were lost."""

    def wait_for_traces(self, timeout_s: float) -> bool:
        """Wait until there are such; False when that took longer."""


def refusal_of(exc: Exception) -> WorkbenchError:
    """The error that stands for a refusal of the core; anything else that was raised is raised on.

    The core's own exception carries the name of its status in `code`.
    """
    if isinstance(exc, WorkbenchError):
        return exc
    code = getattr(exc, "code", None)
    if not isinstance(code, str):
        raise exc
    return error_for(code, str(exc))
