# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Asks calls of the C interface about requests, metrics, traces and options; prints what they answered, as JSON.

python interface_calls.py LIBRARY REPOSITORY BACKENDS

as management_calls.py, whose server and model it uses.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from typing import Any

from tests.conformance.management_calls import EXPLICIT, Server, library_named

Answer = Any
UINT8, FP32 = 2, 11
STRING, INT = 0, 1
COUNTER, GAUGE, HISTOGRAM = 0, 1, 2


class Calls:
    """Calls with one handle before the other arguments; what they answered, in order."""

    def __init__(self, server: Server, prefix: str, handle: ctypes.c_void_p) -> None:
        self._server = server
        self._prefix = prefix
        self.handle = handle
        self.answers: list[tuple[str, Answer]] = []

    def __call__(self, name: str, *arguments: Any) -> Answer:
        """The code of the error that a call answers, None for success."""
        code = self._server.call(f"{self._prefix}{name}", self.handle, *arguments)
        self.answers.append((name, code))
        return code

    def read(self, name: str, kind: Callable[[], Any]) -> Answer:
        """What a call writes where its last argument points, or the code of its error."""
        value = kind()
        code = self._server.call(f"{self._prefix}{name}", self.handle, ctypes.byref(value))
        told = value.value.decode() if isinstance(value.value, bytes) else value.value
        self.answers.append((name, code or told))
        return code or told


def new_request(server: Server) -> Calls:
    handle = ctypes.c_void_p()
    server.call("InferenceRequestNew", ctypes.byref(handle), server.handle, b"identity", ctypes.c_int64(-1))
    return Calls(server, "InferenceRequest", handle)


def request_answers(server: Server) -> list[tuple[str, Answer]]:
    """Getters before and after setters, and removers of what is there and of what is not."""
    request = new_request(server)
    numbers = {"Flags": ctypes.c_uint32, "CorrelationId": ctypes.c_uint64, "TimeoutMicroseconds": ctypes.c_uint64}
    texts = {"Id": ctypes.c_char_p, "CorrelationIdString": ctypes.c_char_p}
    for name, kind in {**numbers, **texts}.items():
        request.read(name, kind)
    request("SetId", b"seven")
    request("SetFlags", 3)
    request("SetTimeoutMicroseconds", ctypes.c_uint64(12))
    request("SetCorrelationIdString", b"text")
    for name, kind in {**numbers, **texts}.items():
        request.read(name, kind)
    request("SetCorrelationIdString", b"a" * 129)
    request("SetCorrelationId", ctypes.c_uint64(2**40))
    request.read("CorrelationId", ctypes.c_uint64)
    request.read("CorrelationIdString", ctypes.c_char_p)
    request.read("IsCancelled", ctypes.c_bool)
    request("Cancel")
    for name, value in {"String": b"text", "Int": ctypes.c_int64(1), "Bool": ctypes.c_bool(True)}.items():
        request(f"Set{name}Parameter", b"key", value)
    request("SetDoubleParameter", b"key", ctypes.c_double(0.5))
    try_tensors(request)
    return request.answers


def try_tensors(request: Calls) -> None:
    """Inputs and outputs."""
    shape = (ctypes.c_int64 * 2)(1, 16)
    tensor = (b"INPUT0", FP32, shape, ctypes.c_uint64(2))
    request("RemoveInput", b"INPUT0")
    request("AddInput", *tensor)
    request("AddInput", *tensor)
    request("AddRawInput", b"raw")
    data = ctypes.create_string_buffer(64)
    for name in (b"INPUT0", b"nothing"):
        request("AppendInputData", name, data, ctypes.c_size_t(64), 0, ctypes.c_int64(0))
        request("RemoveAllInputData", name)
    request("RemoveInput", b"INPUT0")
    request("AddRawInput", b"raw")
    request("AddRawInput", b"again")
    request("RemoveAllInputs")
    request("RemoveRequestedOutput", b"OUTPUT0")
    request("AddRequestedOutput", b"OUTPUT0")
    request("RemoveAllRequestedOutputs")
    request("Delete")


def new_family(server: Server, kind: int, name: bytes) -> tuple[Answer, Calls]:
    handle = ctypes.c_void_p()
    code = server.call("MetricFamilyNew", ctypes.byref(handle), kind, name, b"made by a test")
    return code, Calls(server, "Metric", handle)


def new_metric(server: Server, family: Calls, arguments: ctypes.c_void_p | None = None) -> tuple[Answer, Calls]:
    handle = ctypes.c_void_p()
    name, more = ("MetricNewWithArgs", (arguments,)) if arguments else ("MetricNew", ())
    code = server.call(name, ctypes.byref(handle), family.handle, None, ctypes.c_uint64(0), *more)
    return code, Calls(server, "Metric", handle)


def metric_answers(server: Server) -> list[tuple[str, Answer]]:
    """What each kind of metric can do."""
    answers: list[tuple[str, Answer]] = []
    for kind, name in ((COUNTER, b"custom_counter"), (GAUGE, b"custom_gauge"), (HISTOGRAM, b"custom_histogram")):
        code, family = new_family(server, kind, name)
        answers += [("family", code), ("again", new_family(server, kind, name)[0])]
        answers.append(("other kind", new_family(server, (kind + 1) % 3, name)[0]))
        code, metric = new_metric(server, family)
        answers.append(("without arguments", code))
        arguments = ctypes.c_void_p()
        server.call("MetricArgsNew", ctypes.byref(arguments))
        answers.append(("with empty ones", new_metric(server, family, arguments)[0]))
        server.call("MetricArgsSetHistogram", arguments, (ctypes.c_double * 2)(1, 2), ctypes.c_uint64(2))
        code, with_arguments = new_metric(server, family, arguments)
        answers.append(("with arguments", code))
        metric = metric if metric.handle else with_arguments
        for call, value in (("Increment", 2.0), ("Increment", -1.0), ("Set", 3.0), ("Observe", 1.0)):
            metric(call, ctypes.c_double(value))
        metric.read("Value", ctypes.c_double)
        metric("Delete")
        answers += metric.answers
    return answers


def option_answers(server: Server) -> list[tuple[str, Answer]]:
    """Options, right ones and wrong ones."""
    handle = ctypes.c_void_p()
    server.call("ServerOptionsNew", ctypes.byref(handle))
    options = Calls(server, "ServerOptions", handle)
    options("SetModelControlMode", 3)
    options("SetRateLimiterMode", 2)
    options("SetHostPolicy", b"cpu", b"numa-node", b"0")
    options("SetHostPolicy", b"cpu", b"colour", b"red")
    for kind, device, share in ((2, 0, 0.5), (2, -1, 0.5), (2, 0, 1.5), (1, 0, 0.5)):
        options("SetModelLoadDeviceLimit", kind, device, ctypes.c_double(share))
    options("SetCacheConfig", b"local", b"{}")
    options("SetBackendConfig", b"", b"setting", b"value")
    options("SetMetricsConfig", b"", b"summary_latencies", b"true")
    options("SetLogFile", b"/nowhere/at/all")
    options("SetLogVerbose", 0)
    options("SetStrictReadiness", ctypes.c_bool(True))
    options("Delete")
    return options.answers


def text_answers(server: Server) -> dict[str, list[str]]:
    """Names of the values of enumerations, with some that there are not."""
    told = {}
    for name, values in {
        "ParameterTypeString": range(6),
        "InferenceTraceLevelString": (0, 4, 8),
        "InferenceTraceActivityString": range(10),
        "MemoryTypeString": range(4),
        "InstanceGroupKindString": range(5),
        "DataTypeString": range(16),
    }.items():
        function = getattr(server.library, f"TRITONSERVER_{name}")
        function.restype = ctypes.c_char_p
        told[name] = [function(value).decode() for value in values]
    return told


def parameter(server: Server, name: bytes, value: Any, kind: int) -> ctypes.c_void_p:
    function = server.library.TRITONSERVER_ParameterNew
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(name, kind, value))


def bytes_parameter(server: Server, name: bytes, value: bytes) -> ctypes.c_void_p:
    function = server.library.TRITONSERVER_ParameterBytesNew
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(name, value, ctypes.c_uint64(len(value))))


def management_answers(server: Server, repository: bytes) -> list[tuple[str, Answer]]:
    """Repositories, loads with parameters, and the end."""
    calls = Calls(server, "Server", server.handle)
    nothing: Any = None
    calls("RegisterModelRepository", repository, nothing, 0)
    calls("RegisterModelRepository", b"/nowhere", nothing, 0)
    calls("RegisterModelRepository", repository + b"/identity", nothing, 1)
    calls("UnregisterModelRepository", b"/nowhere")
    number = ctypes.byref(ctypes.c_int64(5))
    for given in (
        parameter(server, b"config", b"{", STRING),
        parameter(server, b"config", number, INT),
        parameter(server, b"colour", b"red", STRING),
        parameter(server, b"file:1/x", b"red", STRING),
        bytes_parameter(server, b"file:1/x", b"red"),
    ):
        calls("LoadModelWithParameters", b"identity", (ctypes.c_void_p * 1)(given), 1)
    calls("LoadModelWithParameters", b"identity", nothing, ctypes.c_uint64(1))
    calls("PollModelRepository")
    for name in ("IsLive", "IsReady"):
        calls.read(name, ctypes.c_bool)
    calls("SetExitTimeout", 1)
    calls("Stop")
    for name in ("IsLive", "IsReady"):
        calls.read(name, ctypes.c_bool)
    calls("Delete")
    return calls.answers


def main() -> None:
    """Print the answers."""
    library, repository, backends = sys.argv[1:]
    server = Server(library_named(library), repository, backends, control=EXPLICIT)
    server.told("ServerLoadModel", b"identity")
    answers = {
        "request": request_answers(server),
        "metrics": metric_answers(server),
        "options": option_answers(server),
        "texts": text_answers(server),
        "management": management_answers(server, repository.encode()),
    }
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
