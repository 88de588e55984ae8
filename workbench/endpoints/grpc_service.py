# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The gRPC service of the protocol, on grpcio: the plain door, for clients that speak nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from threading import Thread
from typing import Any, Final, Protocol

import grpc
from google.protobuf import json_format
from tritonclient.grpc import service_pb2, service_pb2_grpc

from workbench.endpoints.door import SharedMemory
from workbench.endpoints.grpc_messages import answer_of, asked_by, value_of
from workbench.endpoints.grpc_stream import InferenceStream, Sent
from workbench.errors import InvalidArgumentError, WorkbenchError, error_for
from workbench.repository import Engine, refusal_of

CODES: Final[Mapping[str, grpc.StatusCode]] = {
    "INTERNAL": grpc.StatusCode.INTERNAL,
    "NOT_FOUND": grpc.StatusCode.NOT_FOUND,
    "INVALID_ARG": grpc.StatusCode.INVALID_ARGUMENT,
    "UNAVAILABLE": grpc.StatusCode.UNAVAILABLE,
    "UNSUPPORTED": grpc.StatusCode.UNIMPLEMENTED,
    "ALREADY_EXISTS": grpc.StatusCode.ALREADY_EXISTS,
    "CANCELLED": grpc.StatusCode.CANCELLED,
}
_WAIT_S: Final = 60.0


class Management(Protocol):
    """What the service asks of the server beside inference; JSON texts, as the protocol has them."""

    def describe(self, topic: str, model: str = "", version: int = -1) -> str:
        """A topic of `Server.describe`, or "server_live" and "server_ready"."""
        ...

    def load(self, name: str, *, config: str | None, files: Mapping[str, bytes]) -> None:
        """Load a model."""
        ...

    def unload(self, name: str, *, with_dependents: bool) -> None:
        """Unload a model."""
        ...

    def settings(self, topic: str, model: str, body: str | None) -> dict[str, Any]:
        """Trace and log settings, after the changes in `body`, which is JSON."""
        ...

    def is_ready(self, model: str, version: int) -> bool:
        """Whether the model takes requests."""
        ...

    def is_decoupled(self, model: str, version: int) -> bool:
        """Whether it may answer many times. Raises NotFoundError."""
        ...

    def version_of(self, model: str, version: int) -> str:
        """The version that answers."""
        ...


class Service(service_pb2_grpc.GRPCInferenceServiceServicer):  # type: ignore[misc]
    """All methods of the service, over one engine.

    Threads: those of grpcio's pool.
    """

    def __init__(self, engine: Engine, management: Management, memory: SharedMemory) -> None:
        self._engine = engine
        self._management = management
        self._memory = memory

    # --- inference
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
        version = _version_of(request.model_version, request.model_name)
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
        version = _version_of(request.model_version, request.model_name)
        asked = asked_by(request, self._memory)
        told = (request.model_name, self._management.version_of(request.model_name, version), request.id)
        try:
            call = self._engine.submit(request.model_name, version, asked.inputs, **asked.options)
        except Exception as exc:
            raise refusal_of(exc) from exc
        return Sent(call, asked, told)

    # --- health and descriptions
    def ServerLive(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Whether there is a server."""
        del request, context
        return service_pb2.ServerLiveResponse(live=True)

    def ServerReady(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Whether it takes requests."""
        del request
        answer = _guarded(context, lambda: self._management.describe("server_ready"))
        return service_pb2.ServerReadyResponse(ready=answer == "true")

    def ModelReady(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Whether a model does."""
        ready = _guarded(
            context, lambda: self._management.is_ready(request.name, _version_of(request.version, request.name))
        )
        return service_pb2.ModelReadyResponse(ready=ready)

    def ServerMetadata(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Name, version, extensions."""
        del request
        return self._told(context, service_pb2.ServerMetadataResponse(), "server_metadata")

    def ModelMetadata(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Tensors of a model."""
        return self._told(context, service_pb2.ModelMetadataResponse(), "model_metadata", request)

    def ModelConfig(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Its configuration."""
        return self._told(context, service_pb2.ModelConfigResponse(), "model_config", request, field="config")

    def ModelStatistics(self, request: Any, context: Any) -> Any:  # noqa: N802
        """What was counted."""
        return self._told(context, service_pb2.ModelStatisticsResponse(), "model_statistics", request)

    def RepositoryIndex(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Every version of every model."""
        topic = "ready_index" if request.ready else "index"
        return self._told(context, service_pb2.RepositoryIndexResponse(), topic, field="models")

    def _told(self, context: Any, answer: Any, topic: str, request: Any = None, *, field: str = "") -> Any:
        def tell() -> Any:
            model = "" if request is None else request.name
            version = -1 if request is None else _version_of(request.version, model)
            told = json.loads(self._management.describe(topic, model, version))
            return json_format.ParseDict({field: told} if field else told, answer, ignore_unknown_fields=True)

        return _guarded(context, tell)

    # --- management
    def RepositoryModelLoad(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Load a model, with a configuration and files that came along."""

        def load() -> None:
            told = {name: value_of(parameter) for name, parameter in request.parameters.items()}
            files = {name.removeprefix("file:"): told[name] for name in told if name.startswith("file:")}
            self._management.load(request.model_name, config=told.get("config"), files=files)

        _guarded(context, load)
        return service_pb2.RepositoryModelLoadResponse()

    def RepositoryModelUnload(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Unload one."""
        told = {name: value_of(parameter) for name, parameter in request.parameters.items()}
        with_dependents = bool(told.get("unload_dependents", False))
        _guarded(context, lambda: self._management.unload(request.model_name, with_dependents=with_dependents))
        return service_pb2.RepositoryModelUnloadResponse()

    def SystemSharedMemoryRegister(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Let clients name a region."""
        _guarded(
            context,
            lambda: self._memory.register(request.name, request.key, request.offset, request.byte_size),
        )
        return service_pb2.SystemSharedMemoryRegisterResponse()

    def SystemSharedMemoryUnregister(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Forget one, or all."""
        _guarded(context, lambda: self._memory.unregister(request.name))
        return service_pb2.SystemSharedMemoryUnregisterResponse()

    def SystemSharedMemoryStatus(self, request: Any, context: Any) -> Any:  # noqa: N802
        """The regions there are."""
        answer = service_pb2.SystemSharedMemoryStatusResponse()
        for name, key, offset, byte_size in _guarded(context, lambda: self._memory.regions(request.name)):
            region = answer.regions[name]
            region.name, region.key, region.offset, region.byte_size = name, key, offset, byte_size
        return answer

    def CudaSharedMemoryStatus(self, request: Any, context: Any) -> Any:  # noqa: N802
        """None: they are not served."""
        del request, context
        return service_pb2.CudaSharedMemoryStatusResponse()

    def TraceSetting(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Read or change what is traced."""
        lists = {name: list(setting.value) for name, setting in request.settings.items()}
        changes: dict[str, Any] = {
            name: (value if name == "trace_level" else value[0]) if value else None for name, value in lists.items()
        }
        body = json.dumps(changes) if changes else None
        told = _guarded(context, lambda: self._management.settings("trace", request.model_name, body))
        answer = service_pb2.TraceSettingResponse()
        for name, value in told.items():
            answer.settings[name].value.extend(value if isinstance(value, list) else [value])
        return answer

    def LogSettings(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Read or change what is logged."""
        changes = {
            name: getattr(setting, setting.WhichOneof("parameter_choice")) for name, setting in request.settings.items()
        }
        body = json.dumps(changes) if changes else None
        told = _guarded(context, lambda: self._management.settings("log", "", body))
        answer = service_pb2.LogSettingsResponse()
        for name, value in told.items():
            kind = {bool: "bool_param", int: "uint32_param"}.get(type(value), "string_param")
            setattr(answer.settings[name], kind, value)
        return answer


def _guarded(context: Any, act: Callable[[], Any]) -> Any:
    """What `act` gives; an error of workbench ends the call with its status."""
    try:
        return act()
    except WorkbenchError as exc:
        context.abort(CODES.get(exc.wire_code, grpc.StatusCode.UNKNOWN), str(exc))


def _version_of(text: str, model: str) -> int:
    if not text:
        return -1
    if not text.isdecimal():
        message = f"the version of model {model!r} must be a number, not {text!r}"
        raise InvalidArgumentError(message)
    return int(text)
