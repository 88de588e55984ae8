# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sends requests in process, through the C interface; prints what its callbacks were called with, as JSON.

python response_calls.py LIBRARY REPOSITORY BACKENDS

as management_calls.py; the models are those of test_responses.py.
"""

from __future__ import annotations

import ctypes
import json
import queue
import sys
from typing import Any

from tests.conformance.management_calls import EXPLICIT, Server, library_named

INT32 = 8
FINAL = 1
PATIENCE_S = 10
MODELS = (b"decoupled", b"plain")
PATTERNS = (31, 2, 3, 3111, 4, 21, 41, 211)
"""Digits as the backend `answers` reads them, the last one first."""

Pointer = ctypes.c_void_p
Allocate = ctypes.CFUNCTYPE(
    Pointer, Pointer, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int64, Pointer,
    ctypes.POINTER(Pointer), ctypes.POINTER(Pointer), ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int64),
)  # fmt: skip
Release = ctypes.CFUNCTYPE(Pointer, Pointer, Pointer, Pointer, ctypes.c_size_t, ctypes.c_int, ctypes.c_int64)
OnResponse = ctypes.CFUNCTYPE(None, Pointer, ctypes.c_uint32, Pointer)
OnRelease = ctypes.CFUNCTYPE(None, Pointer, ctypes.c_uint32, Pointer)


class Sender:
    """Sends one request after the other, and collects what is heard of it."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._heard: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._memory = ctypes.create_string_buffer(64)
        # Kept: the library holds on to them.
        self._callbacks = Allocate(self._allocate), Release(lambda *_: None)
        self._on_response, self._on_release = OnResponse(self._respond), OnRelease(self._released)
        self._allocator = Pointer()
        server.call("ResponseAllocatorNew", ctypes.byref(self._allocator), *self._callbacks, None)

    def _allocate(self, *arguments: Any) -> None:
        buffer, kept, memory_type, memory_id = arguments[6:]
        buffer[0], kept[0], memory_type[0], memory_id[0] = ctypes.addressof(self._memory), None, 0, 0

    def _respond(self, response: int | None, flags: int, _: Any) -> None:
        """What came: its flags, and how many outputs it has where it is a response."""
        count = ctypes.c_uint32()
        if response:
            self._server.call("InferenceResponseOutputCount", Pointer(response), ctypes.byref(count))
            self._server.call("InferenceResponseDelete", Pointer(response))
        self._heard.put(("response", (flags, count.value if response else None)))

    def _released(self, request: int, flags: int, _: Any) -> None:
        self._server.call("InferenceRequestDelete", Pointer(request))
        self._heard.put(("release", flags))

    def _request(self, model: bytes, number: ctypes.c_int32) -> Pointer:
        request = Pointer()
        call = self._server.call
        call("InferenceRequestNew", ctypes.byref(request), self._server.handle, model, ctypes.c_int64(-1))
        call("InferenceRequestAddInput", request, b"IN", INT32, (ctypes.c_int64 * 1)(1), ctypes.c_uint64(1))
        data = ctypes.byref(number), ctypes.c_size_t(4), 0, ctypes.c_int64(0)
        call("InferenceRequestAppendInputData", request, b"IN", *data)
        call("InferenceRequestSetReleaseCallback", request, self._on_release, None)
        response = self._allocator, None, self._on_response, None
        call("InferenceRequestSetResponseCallback", request, *response)
        return request

    def infer(self, model: bytes, pattern: int) -> dict[str, list[Any]]:
        """What was heard until both the final answer and the release had come."""
        number = ctypes.c_int32(pattern)
        self._server.told("ServerInferAsync", self._request(model, number), None)
        heard: dict[str, list[Any]] = {"response": [], "release": []}
        while not (heard["release"] and any(flags & FINAL for flags, _ in heard["response"])):
            kind, what = self._heard.get(timeout=PATIENCE_S)
            heard[kind].append(what)
        return heard


def main() -> None:
    """Print what was heard of each pattern."""
    library, repository, backends = sys.argv[1:]
    server = Server(library_named(library), repository, backends, control=EXPLICIT)
    sender = Sender(server)
    heard = {}
    for model in MODELS:
        server.told("ServerLoadModel", model)
        heard[model.decode()] = {pattern: sender.infer(model, pattern) for pattern in PATTERNS}
    print(json.dumps(heard))
    server.told("ServerDelete")


if __name__ == "__main__":
    main()
