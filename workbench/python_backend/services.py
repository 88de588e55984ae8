# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a running model may ask its server: the seam between models and where they run."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from workbench.python_backend.exceptions import TritonModelException

if TYPE_CHECKING:
    from workbench.python_backend.response import ParameterValue
    from workbench.python_backend.tensor import Tensor

SERVICES: Final = "__triton_services__"
"""The name under which a model's module holds its services."""


class Facts(NamedTuple):
    """What is known of a request beside its inputs."""

    request_id: str = ""
    correlation_id: int | str = 0
    flags: int = 0
    priority: int = 0
    timeout: int = 0
    parameters: Mapping[str, ParameterValue] = {}
    requested_output_names: Sequence[str] = ()
    trace: int = 0


class Answer(NamedTuple):
    """One answer to a request that a model made; `error` is code and message."""

    outputs: list[Tensor]
    error: tuple[int, str] | None
    parameters: dict[str, ParameterValue]


class Answers(Protocol):
    """The answers to a request that a model made, in their order."""

    def take(self) -> Answer | None:
        """Wait for the next one; None after the last."""

    def cancel(self) -> None:
        """Ask for no more."""


class Sender(Protocol):
    """Answers a request piece by piece, even when it is no more there."""

    def send(
        self,
        outputs: Sequence[Tensor] | None,
        error: tuple[int, str] | None,
        parameters: Mapping[str, ParameterValue] | None,
        flags: int,
    ) -> None:
        """Send one answer; None for `outputs` and `error`: the flags alone."""

    def is_cancelled(self) -> bool:
        """Whether the caller wants no more."""

    @property
    def is_finished(self) -> bool:
        """Whether the last one is sent."""


class NativeMetric(Protocol):
    """One metric, as the server counts it."""

    def increment(self, value: float) -> None: ...  # noqa: D102
    def set(self, value: float) -> None: ...  # noqa: D102
    def observe(self, value: float) -> None: ...  # noqa: D102
    def value(self) -> float: ...  # noqa: D102


class NativeFamily(Protocol):
    """Metrics of one name."""

    def metric(self, labels: Mapping[str, str], buckets: Sequence[float]) -> NativeMetric: ...  # noqa: D102


class Services(Protocol):
    """What a model's server does for it."""

    def describe(self, told: int | bytes) -> tuple[Any, ...]:
        """The fields of Facts: by a request's handle, or out of what it brought along."""

    def is_cancelled(self, handle: int) -> bool:
        """Whether the caller of a request wants no answer any more."""

    def new_sender(self, handle: int) -> Sender:
        """What answers a request piece by piece."""

    def infer(
        self, model: str, version: int, facts: tuple[Any, ...], inputs: Sequence[Tensor], *, decoupled: bool
    ) -> Answers:
        """Ask another model."""

    def log(self, level: int, message: str, file: str, line: int) -> None:
        """Write to the server's log."""

    def family(self, name: str, description: str, kind: int) -> NativeFamily:
        """Metrics of one name on the server's page."""

    def load_model(self, name: str, files: Mapping[str, bytes], config: str) -> None:
        """Load a model of the same server."""

    def unload_model(self, name: str, *, dependents: bool) -> None:
        """Unload a model of the same server."""

    def is_model_ready(self, name: str, version: int) -> bool:
        """Whether a model of the same server can be asked."""


_LOCAL: Final = threading.local()


def enter(services: Services | None) -> None:
    """Let this thread work for the model with these services."""
    _LOCAL.services = services


def current() -> Services:
    """The services of the model whose code runs: told to the thread, else found by the frames that call.

    Raises:
        TritonModelException: no model's code runs.
    """
    services: Services | None = getattr(_LOCAL, "services", None)
    frame = sys._getframe(1)  # noqa: SLF001 - the way to who calls
    while services is None and frame is not None:
        services = frame.f_globals.get(SERVICES)
        frame = frame.f_back  # type: ignore[assignment]
    if services is None:
        raise TritonModelException("this works in the code of a model alone, which runs under a server")
    return services
