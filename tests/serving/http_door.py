# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models to reach through a door, and HTTP by hand."""

from __future__ import annotations

import json
import socket
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np

IDENTITY = """
backend: "identity" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""
SLOW = """
backend: "synthetic" max_batch_size: 1
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
parameters [ { key: "tau0_us" value: { string_value: "200000" } } ]
"""
ONE = np.arange(4, dtype=np.float32).reshape(1, 4)
JSON_BODY = json.dumps({"inputs": [{"name": "INPUT0", "shape": [1, 4], "datatype": "FP32", "data": [0, 1, 2, 3]}]})
SLOW_BODY = json.dumps({"inputs": [{"name": "INPUT0", "shape": [1, 1], "datatype": "FP32", "data": [0]}]})


def exchange(door: Any, sent: bytes, *, until: bytes = b"") -> bytes:
    """What comes back on a connection of its own, until the server closes it or `until` was seen."""
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(sent)
        return read(connection, until)


def read(connection: socket.socket, until: bytes) -> bytes:
    got = b""
    while chunk := connection.recv(65536):
        got += chunk
        if until and until in got:
            break
    return got


def request(path: str, body: str = "", *, method: str = "POST", head: str = "", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {size}\r\n\r\n{body}".encode()


def infer_in_shared_memory(tritonclient: Any, client: Any, region: SharedMemory) -> Any:
    """Registers the region as `r` and has model `m` answer ONE from its byte 16 at its byte 32; gives the input."""
    region.buf[16:32] = ONE.tobytes()
    client.register_system_shared_memory("r", f"/{region.name}", region.size)
    told = tritonclient.InferInput("INPUT0", [1, 4], "FP32")
    told.set_shared_memory("r", 16, offset=16)
    wish = tritonclient.InferRequestedOutput("OUTPUT0")
    wish.set_shared_memory("r", 16, offset=32)
    client.infer("m", [told], outputs=[wish])
    assert bytes(region.buf[32:48]) == ONE.tobytes()
    return told
