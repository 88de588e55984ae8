# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A request: one that a model answers, or one that it makes to another model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from sys import getrefcount
from typing import Any, Final

from workbench.python_backend.exceptions import TritonError, TritonModelException
from workbench.python_backend.response import InferenceResponse, ParameterValue, parameters_of
from workbench.python_backend.sender import InferenceResponseSender
from workbench.python_backend.services import Answers, Facts, Services, current
from workbench.python_backend.tensor import Tensor

RELEASE_ALL: Final = 1
RELEASE_RESCHEDULE: Final = 2
# References that `getrefcount` tells of what has one owner and a variable.
_ALONE: Final = 3


class PreferredMemory:
    """Where a model would like to have the answer of another one."""

    __slots__ = ("device_id", "memory_type")

    def __init__(self, preferred_memory_type: int, preferred_device_id: int = 0) -> None:
        self.memory_type = preferred_memory_type
        self.device_id = preferred_device_id


class InferenceTrace:
    """The trace of a request, to be handed to requests that follow from it."""

    __slots__ = ("handle",)

    def __init__(self, handle: int = 0) -> None:
        self.handle = handle


_NO_TRACE: Final = InferenceTrace()


class InferenceRequest:
    """A request. A model makes one to ask another model, and executes those that it is given.

    Args:
        request_id: a name for logs.
        correlation_id: the sequence, a number or a text; 0 for none.
        inputs: the tensors.
        requested_output_names: the wanted outputs; all where there are none.
        model_name, model_version: whom to ask; -1 for the version that serves.
        flags: of sequences.
        timeout: microseconds; 0 for none.
        preferred_memory: where the answer should lie.
        trace: the trace of the request that this one follows from.
        parameters: values for the model, or their JSON text.
        priority: 1 is the highest; 0 for the model's own default.
    """

    # The backend fills these itself; what it does not know when it does so, `_facts` fetches by the handle.
    __slots__ = (
        "_facts",
        "_handle",
        "_inputs",
        "_model_name",
        "_model_version",
        "_release_flags",
        "_sender",
        "_services",
    )

    _facts: Facts | bytes | None
    _handle: int | None
    _inputs: Sequence[Tensor]
    _model_name: str
    _model_version: int
    _release_flags: int
    _sender: InferenceResponseSender | None
    _services: Services

    def __init__(
        self,
        request_id: str = "",
        correlation_id: int | str = 0,
        inputs: Sequence[Tensor] = (),
        requested_output_names: Sequence[str] = (),
        model_name: str = "",
        model_version: int = -1,
        flags: int = 0,
        timeout: int = 0,
        preferred_memory: PreferredMemory | None = None,  # noqa: ARG002 - answers lie in the processor's memory
        trace: InferenceTrace = _NO_TRACE,
        parameters: Mapping[str, ParameterValue] | str | None = None,
        priority: int = 0,
    ) -> None:
        if not all(isinstance(tensor, Tensor) for tensor in inputs):
            raise TritonModelException("inputs is a list of Tensor")
        values = {} if parameters is None else parameters_of(parameters)
        names = list(requested_output_names)
        self._facts = Facts(request_id, correlation_id, flags, priority, timeout, values, names, trace.handle)
        self._inputs = inputs
        self._model_name = model_name
        self._model_version = model_version
        self._handle = None
        self._release_flags = RELEASE_ALL
        self._sender = None
        self._services = current()

    # ---- What was asked ----

    def inputs(self) -> Sequence[Tensor]:
        """The tensors."""
        return self._inputs

    def request_id(self) -> str:
        """The name that the caller gave it."""
        return self._known().request_id

    def correlation_id(self) -> int | str:
        """The sequence; 0 for none."""
        return self._known().correlation_id

    def requested_output_names(self) -> list[str]:
        """The outputs that the caller wants."""
        return list(self._known().requested_output_names)

    def flags(self) -> int:
        """Bits: TRITONSERVER_REQUEST_FLAG_SEQUENCE_START and _END."""
        return self._known().flags

    def set_flags(self, flags: int) -> None:
        """Set the flags of a request that is to be made."""
        self._facts = self._known()._replace(flags=flags)

    def priority(self) -> int:
        """The priority; 0 for the model's default."""
        return self._known().priority

    def timeout(self) -> int:
        """Microseconds that it may wait; 0 for no limit."""
        return self._known().timeout

    def parameters(self) -> str:
        """The parameters, a JSON object."""
        return json.dumps(self._known().parameters)

    def trace(self) -> InferenceTrace:
        """Its trace, for requests that follow from it."""
        return InferenceTrace(self._known().trace)

    def model_name(self) -> str:
        """Whom it asks."""
        return self._model_name

    def model_version(self) -> int:
        """Which version it asks; -1 for the one that serves."""
        return self._model_version

    # ---- How it is answered ----

    def get_response_sender(self) -> InferenceResponseSender:
        """What answers it piece by piece; to be asked for while it is executed."""
        if self._sender is None:
            if self._handle is None:
                raise TritonModelException("a response sender is taken inside of execute, while the request is there")
            self._sender = InferenceResponseSender(self._services.new_sender(self._handle))
        return self._sender

    def is_cancelled(self) -> bool:
        """Whether the caller wants no answer any more."""
        if self._handle is not None:
            return self._services.is_cancelled(self._handle)
        return self._sender is not None and self._sender.is_cancelled()

    def set_release_flags(self, flags: int) -> None:
        """TRITONSERVER_REQUEST_RELEASE_RESCHEDULE lets an iterative sequence execute the request again."""
        if flags not in (RELEASE_ALL, RELEASE_RESCHEDULE):
            raise TritonModelException(f"release flags are TRITONSERVER_REQUEST_RELEASE_ALL or _RESCHEDULE: {flags!r}")
        self._release_flags = flags

    # ---- Asking another model ----

    def exec(self, decoupled: bool = False) -> Any:  # noqa: FBT001, FBT002 - the form that models use
        """Ask the model and wait: its answer, or with `decoupled` an iterator of answers.

        Errors of the model are in the answer. The instance waits meanwhile: a model must not ask itself.
        """
        if not self._model_name:
            raise TritonModelException("exec needs the model_name of the model that is to be asked")
        answers = self._services.infer(
            self._model_name, self._model_version, tuple(self._known()), self._inputs, decoupled=decoupled
        )
        return _all(answers) if decoupled else _only(answers)

    async def async_exec(self, decoupled: bool = False) -> Any:  # noqa: FBT001, FBT002
        """Ask the model while other coroutines run; see `exec`."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, self.exec, decoupled)

    # ---- For the backend ----

    @classmethod
    def served(
        cls, handle: int, facts: bytes, inputs: Sequence[Tensor], services: Services, model_name: str
    ) -> InferenceRequest:
        """A request that is to be executed; `facts` are read when they are asked for."""
        request = cls.__new__(cls)
        request._facts = facts
        request._handle = handle
        request._inputs = inputs
        request._model_name = model_name
        request._model_version = -1
        request._release_flags = RELEASE_ALL
        request._sender = None
        request._services = services
        return request

    def sender(self) -> InferenceResponseSender | None:
        """What answers it piece by piece, where the model asked for it."""
        return self._sender

    def release_flags(self) -> int:
        """Whether it is to be executed again."""
        return self._release_flags

    def is_input_kept(self) -> bool:
        """Whether somebody else holds its list of inputs, one of them or its array."""
        inputs = self._inputs
        if getrefcount(inputs) > _ALONE:
            return True
        for tensor in inputs:  # noqa: SIM110 - a generator costs more than what it looks at
            if getrefcount(tensor) > _ALONE or getrefcount(tensor._array) > _ALONE - 1:
                return True
        return False

    def _known(self) -> Facts:
        facts = self._facts
        if not isinstance(facts, Facts):
            told = self._handle or 0 if facts is None else facts
            facts = self._facts = Facts(*self._services.describe(told))
        return facts

    def detach(self) -> None:
        """Learn what the request will not be there to tell: the model keeps this object, the server takes it back."""
        self._known()
        self._handle = None

    def __repr__(self) -> str:
        return f"<InferenceRequest {self._model_name or self.request_id()!r} {list(self._inputs)}>"


def _all(answers: Answers) -> Iterator[InferenceResponse]:
    try:
        while (answer := answers.take()) is not None:
            yield _response(answer)
    finally:
        answers.cancel()


def _only(answers: Answers) -> InferenceResponse:
    first: InferenceResponse | None = None
    while (answer := answers.take()) is not None:
        first = first or _response(answer)
    if first is None:
        return InferenceResponse(error=TritonError("the model gave no answer"))
    return first


def _response(answer: tuple[Any, ...]) -> InferenceResponse:
    outputs, error, parameters = answer
    told = None if error is None else TritonError(error[1], error[0])
    return InferenceResponse(outputs, told, parameters or None)
