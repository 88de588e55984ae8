# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The gRPC service of the protocol on grpcio, where the native door is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from threading import Thread
from typing import Any, Final

import grpc
from tritonclient.grpc import service_pb2_grpc

from workbench.endpoints.door import SharedMemory
from workbench.endpoints.grpc_messages import answer_of, asked_by
from workbench.endpoints.grpc_methods import CODES, NAMES, Management, Methods
from workbench.endpoints.grpc_stream import InferenceStream, Sent
from workbench.endpoints.grpc_values import version_of
from workbench.errors import WorkbenchError, error_for
from workbench.repository import Engine, refusal_of

_STATUS: Final[Mapping[int, grpc.StatusCode]] = {code.value[0]: code for code in grpc.StatusCode}
_WAIT_S: Final = 60.0


class Service(service_pb2_grpc.GRPCInferenceServiceServicer):  # type: ignore[misc]
    """All methods of the service, over one engine.

    Threads: those of grpcio's pool.
    """

    def __init__(self, engine: Engine, management: Management, memory: SharedMemory) -> None:
        self._engine = engine
        self._management = management
        self._memory = memory
        methods = Methods(management, memory)
        for name in NAMES:
            setattr(self, name, _with_context(getattr(methods, name)))

    def ModelInfer(self, request: Any, context: Any) -> Any:  # noqa: N802
        """One request, one answer."""
        return _guarded(context, lambda: self._infer(request, context))

    def ModelStreamInfer(self, request_iterator: Any, context: Any) -> Iterator[Any]:  # noqa: N802
        """Requests as they come; their answers in the order of the requests."""
        stream = InferenceStream(self._send, self._memory)
        context.add_callback(stream.cancel)
        Thread(target=stream.read, args=(request_iterator,), name="wb-grpc-stream", daemon=True).start()
        return stream.answers()

    def _infer(self, request: Any, context: Any) -> Any:
        version = version_of(request.model_version, request.model_name)
        if self._management.is_decoupled(request.model_name, version):
            message = f"model {request.model_name!r} is decoupled: it may answer many times; use ModelStreamInfer"
            raise error_for("UNSUPPORTED", message)
        sent = self._send(request)
        context.add_callback(sent.call.cancel)
        while not sent.call.wait(_WAIT_S):
            pass
        response = sent.call.take(0)
        if response is None:
            raise error_for("INTERNAL", f"model {request.model_name!r} did not answer")
        if response.error is not None:
            raise error_for(*response.error)
        return answer_of(response, sent.told, sent.asked.regions, self._memory)

    def _send(self, request: Any) -> Sent:
        version = version_of(request.model_version, request.model_name)
        asked = asked_by(request, self._memory)
        told = (request.model_name, self._management.version_of(request.model_name, version), request.id)
        try:
            call = self._engine.submit(request.model_name, version, asked.inputs, **asked.options)
        except Exception as exc:
            raise refusal_of(exc) from exc
        return Sent(call, asked, told)


def _with_context(method: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda request, context: _guarded(context, lambda: method(request))


def _guarded(context: Any, act: Callable[[], Any]) -> Any:
    """What `act` gives; an error of workbench ends the call with its status."""
    try:
        return act()
    except WorkbenchError as exc:
        context.abort(_STATUS[CODES.get(exc.wire_code, CODES["UNKNOWN"])], str(exc))
