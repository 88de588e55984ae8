# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Management calls over gRPC, good, odd and malformed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tritonclient.grpc import service_pb2 as pb

from tests.conformance.grpc_requests import HEALTH, GrpcCase, call

VERSIONS: Final = [
    *(("m_INT32", version) for version in ("", "1", "2", "one", "-1", "99999999999999999999")),
    ("nobody", ""), ("", ""),
]  # fmt: skip


def management() -> Iterator[GrpcCase]:
    for method in ("ServerLive", "ServerReady", "ServerMetadata", "Nothing"):
        yield call(method, method)
    of_models = {
        "ModelReady": pb.ModelReadyRequest,
        "ModelMetadata": pb.ModelMetadataRequest,
        "ModelConfig": pb.ModelConfigRequest,
        "ModelStatistics": pb.ModelStatisticsRequest,
    }
    for method, message in of_models.items():
        for name, version in VERSIONS:
            yield call(f"{method} of {name!r} {version!r}", method, message(name=name, version=version))
    for ready in (False, True):
        yield call(f"index, ready {ready}", "RepositoryIndex", pb.RepositoryIndexRequest(ready=ready))
    yield call("index of a repository", "RepositoryIndex", pb.RepositoryIndexRequest(repository_name="x"))
    for name in ("plain", "nobody", ""):
        yield call(f"unload {name!r}", "RepositoryModelUnload", pb.RepositoryModelUnloadRequest(model_name=name))
        yield call(f"load {name!r}", "RepositoryModelLoad", pb.RepositoryModelLoadRequest(model_name=name))
    for key, value in {"config": "{", "config ": "{}", "file:1/x": "text", "other": "x"}.items():
        request = pb.RepositoryModelLoadRequest(model_name="plain")
        request.parameters[key.strip()].string_param = value
        yield call(f"load with {key!r}", "RepositoryModelLoad", request)
    unload = pb.RepositoryModelUnloadRequest(model_name="plain")
    unload.parameters["unload_dependents"].string_param = "yes"
    yield call("unload with a text for a truth", "RepositoryModelUnload", unload)
    yield call("load again", "RepositoryModelLoad", pb.RepositoryModelLoadRequest(model_name="plain"))
    yield GrpcCase("health", f"{HEALTH}Check")
    yield GrpcCase("health of no such service", f"{HEALTH}Check", (b"\x0a\x07nothing",))
    yield GrpcCase("a service that is not there", "/inference.Other/ServerLive")


def memory_and_settings() -> Iterator[GrpcCase]:
    yield call("regions", "SystemSharedMemoryStatus")
    yield call("a region that is not there", "SystemSharedMemoryStatus", pb.SystemSharedMemoryStatusRequest(name="r"))
    for key, size, offset in (("/none", 8, 0), ("", 8, 0), ("/none", 0, 0), ("none", 8, 1 << 62)):
        told = pb.SystemSharedMemoryRegisterRequest(name="r", key=key, byte_size=size, offset=offset)
        yield call(f"register {key!r} {size} {offset}", "SystemSharedMemoryRegister", told)
    for name in ("r", ""):
        told = pb.SystemSharedMemoryUnregisterRequest(name=name)
        yield call(f"unregister {name!r}", "SystemSharedMemoryUnregister", told)
    for name in ("", "r"):
        told = pb.CudaSharedMemoryStatusRequest(name=name)
        yield call(f"regions of a GPU, {name!r}", "CudaSharedMemoryStatus", told)
        told = pb.CudaSharedMemoryUnregisterRequest(name=name)
        yield call(f"unregister a GPU's, {name!r}", "CudaSharedMemoryUnregister", told)
    for handle, device in ((bytes(64), 0), (b"", 0), (bytes(64), -1)):
        told = pb.CudaSharedMemoryRegisterRequest(name="r", raw_handle=handle, device_id=device, byte_size=16)
        yield call(f"register a GPU's, {len(handle)} bytes, {device}", "CudaSharedMemoryRegister", told)
    for model in ("", "m_INT32", "nobody"):
        yield call(f"trace of {model!r}", "TraceSetting", pb.TraceSettingRequest(model_name=model))
    for key, values in (("trace_rate", ["5"]), ("trace_rate", ["many"]), ("trace_rate", ["1", "2"]), ("trace_rate", []),
                        ("trace_count", ["7"]), ("trace_count", ["-1"]), ("nothing", ["1"]), ("trace_level", ["OFF"]),
                        ("trace_rate", ["1000"]), ("log_frequency", ["0"]), ("log_frequency", ["3"]),
                        ("log_frequency", ["few"]), ("log_frequency", ["-1"]), ("log_frequency", [])):  # fmt: skip
        request = pb.TraceSettingRequest()
        request.settings[key].value.extend(values)
        yield call(f"trace {key} {values}", "TraceSetting", request)
    yield call("log", "LogSettings")
    for key, value in (("log_verbose_level", {"uint32_param": 1}), ("log_verbose_level", {"uint32_param": 0}),
                       ("log_verbose_level", {"string_param": "1"}), ("log_info", {"bool_param": False}),
                       ("log_info", {"bool_param": True}), ("log_info", {"string_param": "yes"}),
                       ("log_format", {"string_param": "ISO8601"}), ("log_format", {"string_param": "default"}),
                       ("log_format", {"string_param": "fancy"}), ("log_file", {"string_param": "/tmp/x"}),
                       ("nothing", {"bool_param": True})):  # fmt: skip
        log = pb.LogSettingsRequest()
        for field, content in value.items():
            setattr(log.settings[key], field, content)
        yield call(f"log {key} {value}", "LogSettings", log)
