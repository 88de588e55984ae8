# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The methods of the gRPC service beside inference, from message to message, whoever brings the messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final, Protocol

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from tritonclient.grpc import service_pb2

from workbench.endpoints.door import SharedMemory
from workbench.endpoints.grpc_values import load_value, log_value, trace_value, value_of, version_of
from workbench.errors import InvalidArgumentError, UnsupportedError, WorkbenchError

CODES: Final[Mapping[str, int]] = {
    "CANCELLED": 1, "UNKNOWN": 2, "INVALID_ARG": 3, "NOT_FOUND": 5, "ALREADY_EXISTS": 6, "UNSUPPORTED": 12,
    "INTERNAL": 13, "UNAVAILABLE": 14,
}  # fmt: skip
"""Codes of the C interface as gRPC's (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md)."""
NAMES: Final = (
    "ServerLive", "ServerReady", "ModelReady", "ServerMetadata", "ModelMetadata", "ModelConfig", "ModelStatistics",
    "RepositoryIndex", "RepositoryModelLoad", "RepositoryModelUnload", "SystemSharedMemoryRegister",
    "SystemSharedMemoryUnregister", "SystemSharedMemoryStatus", "CudaSharedMemoryStatus", "CudaSharedMemoryRegister",
    "CudaSharedMemoryUnregister", "TraceSetting", "LogSettings",
)  # fmt: skip


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


class Methods:
    """The methods that are no inference. Each takes a request and gives its answer, or raises WorkbenchError.

    Threads: any.
    """

    def __init__(self, management: Management, memory: SharedMemory) -> None:
        self._management = management
        self._memory = memory

    # --- health and descriptions
    def ServerLive(self, request: Any) -> Any:  # noqa: N802
        """Whether there is a server."""
        del request
        return service_pb2.ServerLiveResponse(live=True)

    def ServerReady(self, request: Any) -> Any:  # noqa: N802
        """Whether it takes requests."""
        del request
        return service_pb2.ServerReadyResponse(ready=self._management.describe("server_ready") == "true")

    def ModelReady(self, request: Any) -> Any:  # noqa: N802
        """Whether a model does."""
        ready = self._management.is_ready(request.name, version_of(request.version, request.name))
        return service_pb2.ModelReadyResponse(ready=ready)

    def ServerMetadata(self, request: Any) -> Any:  # noqa: N802
        """Name, version, extensions."""
        del request
        return self._told(service_pb2.ServerMetadataResponse(), "server_metadata")

    def ModelMetadata(self, request: Any) -> Any:  # noqa: N802
        """Tensors of a model."""
        return self._told(service_pb2.ModelMetadataResponse(), "model_metadata", request)

    def ModelConfig(self, request: Any) -> Any:  # noqa: N802
        """Its configuration."""
        return self._told(service_pb2.ModelConfigResponse(), "model_config", request, field="config")

    def ModelStatistics(self, request: Any) -> Any:  # noqa: N802
        """What was counted."""
        return self._told(service_pb2.ModelStatisticsResponse(), "model_statistics", request)

    def RepositoryIndex(self, request: Any) -> Any:  # noqa: N802
        """Every version of every model."""
        if request.repository_name:
            message = "repository_name is not served: the index is of all repositories"
            raise UnsupportedError(message)
        topic = "ready_index" if request.ready else "index"
        return self._told(service_pb2.RepositoryIndexResponse(), topic, field="models")

    def _told(self, answer: Any, topic: str, request: Any = None, *, field: str = "") -> Any:
        model = "" if request is None else request.name
        version = -1 if request is None else version_of(request.version, model)
        told = json.loads(self._management.describe(topic, model, version))
        return json_format.ParseDict({field: told} if field else told, answer, ignore_unknown_fields=True)

    # --- management
    def RepositoryModelLoad(self, request: Any) -> Any:  # noqa: N802
        """Load a model, with a configuration and files that came along."""
        told = {name: load_value(name, value_of(value)) for name, value in request.parameters.items()}
        files = {name.removeprefix("file:"): told[name] for name in told if name != "config"}
        self._management.load(request.model_name, config=told.get("config"), files=files)
        return service_pb2.RepositoryModelLoadResponse()

    def RepositoryModelUnload(self, request: Any) -> Any:  # noqa: N802
        """Unload one."""
        told = {name: value_of(parameter) for name, parameter in request.parameters.items()}
        if not isinstance(with_dependents := told.get("unload_dependents", False), bool):
            message = f"unload_dependents is {with_dependents!r}; it must be a bool_param"
            raise InvalidArgumentError(message)
        self._management.unload(request.model_name, with_dependents=with_dependents)
        return service_pb2.RepositoryModelUnloadResponse()

    def SystemSharedMemoryRegister(self, request: Any) -> Any:  # noqa: N802
        """Let clients name a region."""
        self._memory.register(request.name, request.key, request.offset, request.byte_size)
        return service_pb2.SystemSharedMemoryRegisterResponse()

    def SystemSharedMemoryUnregister(self, request: Any) -> Any:  # noqa: N802
        """Forget one, or all."""
        self._memory.unregister(request.name)
        return service_pb2.SystemSharedMemoryUnregisterResponse()

    def SystemSharedMemoryStatus(self, request: Any) -> Any:  # noqa: N802
        """The regions there are."""
        answer = service_pb2.SystemSharedMemoryStatusResponse()
        for name, key, offset, byte_size in self._memory.regions(request.name):
            region = answer.regions[name]
            region.name, region.key, region.offset, region.byte_size = name, key, offset, byte_size
        return answer

    def CudaSharedMemoryRegister(self, request: Any) -> Any:  # noqa: N802
        """Let clients name a region of a GPU's memory."""
        self._memory.register_cuda(request.name, request.raw_handle, request.device_id, request.byte_size)
        return service_pb2.CudaSharedMemoryRegisterResponse()

    def CudaSharedMemoryUnregister(self, request: Any) -> Any:  # noqa: N802
        """Forget one of those, or all."""
        self._memory.unregister(request.name, is_cuda=True)
        return service_pb2.CudaSharedMemoryUnregisterResponse()

    def CudaSharedMemoryStatus(self, request: Any) -> Any:  # noqa: N802
        """Those that there are."""
        answer = service_pb2.CudaSharedMemoryStatusResponse()
        for name, device_id, byte_size in self._memory.cuda_regions(request.name):
            region = answer.regions[name]
            region.name, region.device_id, region.byte_size = name, device_id, byte_size
        return answer

    def TraceSetting(self, request: Any) -> Any:  # noqa: N802
        """Read or change what is traced."""
        changes = {name: trace_value(name, list(setting.value)) for name, setting in request.settings.items()}
        body = json.dumps(changes) if changes else None
        answer = service_pb2.TraceSettingResponse()
        for name, value in self._management.settings("trace", request.model_name, body).items():
            answer.settings[name].value.extend(value if isinstance(value, list) else [value])
        return answer

    def LogSettings(self, request: Any) -> Any:  # noqa: N802
        """Read or change what is logged."""
        changes = {name: log_value(name, setting) for name, setting in request.settings.items()}
        answer = service_pb2.LogSettingsResponse()
        for name, value in self._management.settings("log", "", json.dumps(changes) if changes else None).items():
            kind = {bool: "bool_param", int: "uint32_param"}.get(type(value), "string_param")
            setattr(answer.settings[name], kind, value)
        return answer


class BytesService:
    """The same methods from bytes to bytes, for a door that knows no messages.

    Threads: any.
    """

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    def __call__(self, name: str, message: bytes) -> tuple[int, str, bytes]:
        """The code and text of a status, and the bytes of an answer that went well."""
        try:
            request = self._requests[name].FromString(message)
        except DecodeError as exc:
            return CODES["INTERNAL"], f"the bytes that were received are no message of {name}: {exc}", b""
        try:
            return 0, "", getattr(self._methods, name)(request).SerializeToString()
        except WorkbenchError as exc:
            return CODES.get(exc.wire_code, CODES["UNKNOWN"]), str(exc), b""

    @cached_property
    def _requests(self) -> Mapping[str, Any]:
        return {name: getattr(service_pb2, f"{name}Request") for name in NAMES}


def bytes_service(management: Management, memory: SharedMemory) -> Callable[[str, bytes], tuple[int, str, bytes]]:
    """What answers for one server."""
    return BytesService(Methods(management, memory))
