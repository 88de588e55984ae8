# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One stream of inferences over gRPC: requests go to the core as they come, answers leave in the requests' order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Condition
from typing import Any, Final

import grpc
from tritonclient.grpc import service_pb2

from workbench.endpoints.door import SharedMemory
from workbench.endpoints.grpc_messages import Asked, answer_of
from workbench.errors import WorkbenchError, error_for
from workbench.repository import Call

_WAIT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Sent:
    """A request in flight.

    Attributes:
        call: the request in the core.
        asked: what it asks for.
        told: the model, its version and the request's id, as answers tell them.
    """

    call: Call
    asked: Asked
    told: tuple[str, str, str]


class InferenceStream:
    """The requests and answers of one stream.

    Threads: `read` and `answers` each run on one thread; `cancel` is for any.
    """

    def __init__(self, send: Callable[[Any], Sent], memory: SharedMemory) -> None:
        self._send = send
        self._memory = memory
        self._changed = Condition()
        self._sent: deque[Sent | tuple[Any, WorkbenchError]] = deque()
        self._current: Sent | None = None
        self._has_ended = False
        self._is_cancelled = False

    def read(self, requests: Iterable[Any]) -> None:
        """Send every request; the client's end, or its loss, ends the stream."""
        try:
            for request in requests:
                self._put(self._try(request))
        except grpc.RpcError:
            self.cancel()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def answers(self) -> Iterator[Any]:
        """ModelStreamInferResponse after ModelStreamInferResponse."""
        while (sent := self._next()) is not None:
            if isinstance(sent, tuple):
                yield _error(sent[0], sent[1])
            else:
                yield from self._answers_of(sent)

    def cancel(self) -> None:
        """Ask the core to give up all that is in flight."""
        with self._changed:
            self._is_cancelled = True
            left = [sent.call for sent in (*self._sent, self._current) if isinstance(sent, Sent)]
            self._sent.clear()
            self._changed.notify_all()
        for call in left:
            call.cancel()

    def _try(self, request: Any) -> Sent | tuple[Any, WorkbenchError]:
        try:
            return self._send(request)
        except WorkbenchError as exc:
            return request.id, exc

    def _put(self, sent: Sent | tuple[Any, WorkbenchError]) -> None:
        with self._changed:
            if not self._is_cancelled:
                self._sent.append(sent)
                self._changed.notify_all()
                return
        if isinstance(sent, Sent):
            sent.call.cancel()

    def _next(self) -> Sent | tuple[Any, WorkbenchError] | None:
        with self._changed:
            self._current = None
            self._changed.wait_for(lambda: self._sent or self._has_ended or self._is_cancelled)
            if not self._sent:
                return None
            sent = self._sent.popleft()
            self._current = sent if isinstance(sent, Sent) else None
            return sent

    def _answers_of(self, sent: Sent) -> Iterator[Any]:
        was_final_told = False
        while True:
            response = sent.call.take(_WAIT_S)
            if response is None and not sent.call.finished:
                continue
            if response is None:
                break
            was_final_told = response.is_final
            yield self._answer(sent, response)
        if sent.asked.wants_final and not was_final_told:
            yield _with_final(answer_of(None, sent.told, {}, self._memory), is_final=True)

    def _answer(self, sent: Sent, response: Any) -> Any:
        if response.error is not None:
            return _error(sent.told[2], error_for(*response.error))
        try:
            message = answer_of(response, sent.told, sent.asked.regions, self._memory)
        except WorkbenchError as exc:
            return _error(sent.told[2], exc)
        return _with_final(message, is_final=response.is_final)


def _with_final(message: Any, *, is_final: bool) -> Any:
    message.parameters["triton_final_response"].bool_param = is_final
    return service_pb2.ModelStreamInferResponse(infer_response=message)


def _error(request_id: str, error: WorkbenchError) -> Any:
    answer = service_pb2.ModelStreamInferResponse(error_message=str(error))
    answer.infer_response.id = request_id
    return answer
