# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Regions of a (stand-in) GPU's memory that a client's process shares: inputs lie there, outputs are written there."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc
import tritonclient.http

import workbench as wb
from tests.serving.http_door import IDENTITY
from tests.serving.test_gpu import CELL, config, copies
from tests.stand_ins.cuda import HERE, CudaStandIn
from workbench.endpoints import native_grpc

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

BYTE_SIZE = 256
X = np.arange(4, dtype=np.float32).reshape(1, 4)


@dataclass(frozen=True, slots=True)
class Sharer:
    """The other process; `handle` is what it gives to a server, as clients have it: base64."""

    process: subprocess.Popen[str]
    handle: bytes

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def put(self, array: Any) -> None:
        assert self.ask(f"put {array.tobytes().hex()}") == "done"

    def get(self, offset: int, count: int) -> Any:
        return np.frombuffer(bytes.fromhex(self.ask(f"get {offset} {4 * count}")), np.float32)


@pytest.fixture
def sharer(cuda_stand_in: CudaStandIn) -> Iterator[Sharer]:
    command = [sys.executable, str(HERE / "sharer.py"), str(cuda_stand_in.path), str(BYTE_SIZE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Sharer(process, process.stdout.readline().strip().encode())
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture(params=["http", "grpc"])
def protocol(request: pytest.FixtureRequest) -> Any:
    """tritonclient's module for one of them."""
    if request.param == "grpc" and native_grpc() is None:
        pytest.skip("the door on grpcio does not reach memory of a GPU")
    return getattr(tritonclient, str(request.param))


@pytest.fixture
def served(sharer: Sharer, protocol: Any, tmp_path: Path) -> Iterator[tuple[wb.Server, Any]]:
    """A server with a model on the GPU (`copies`) and one on the host (`m`), and a client that registered `r`."""
    wb.build_backend("copies", CELL)
    with ExitStack() as closing:
        server = closing.enter_context(wb.Server(tmp_path, name="cuda-regions"))
        server.load("copies", config=config("copies"))
        server.load("m", config=f"{IDENTITY} instance_group [ {{ kind: KIND_CPU count: 1 }} ]")
        door = server.http() if protocol is tritonclient.http else server.grpc()
        client = closing.enter_context(protocol.InferenceServerClient(f"127.0.0.1:{door.port}"))
        client.register_cuda_shared_memory("r", sharer.handle, 0, BYTE_SIZE)
        yield server, client


def asked(protocol: Any, *, offset: int = 0, out: int = 64) -> dict[str, Any]:
    """An input that lies in the region, and an output that goes there."""
    tensor = protocol.InferInput("INPUT0", [1, 4], "FP32")
    tensor.set_shared_memory("r", 16, offset=offset)
    wish = protocol.InferRequestedOutput("OUTPUT0")
    wish.set_shared_memory("r", 16, offset=out)
    return {"inputs": [tensor], "outputs": [wish]}


def status_of(client: Any) -> list[tuple[str, int, int]]:
    told = client.get_cuda_shared_memory_status()
    rows = told if isinstance(told, list) else told.regions.values()
    read = dict.get if isinstance(told, list) else getattr
    return [(read(row, "name"), int(read(row, "device_id")), int(read(row, "byte_size"))) for row in rows]


def test_a_model_on_the_gpu_reads_and_writes_it_without_a_copy(
    served: tuple[wb.Server, Any], sharer: Sharer, protocol: Any
) -> None:
    server, client = served
    sharer.put(X)
    client.infer("copies", **asked(protocol))
    assert np.array_equal(sharer.get(64, 4), X[0])
    moved = copies(server.model("copies"))
    assert {reason for reason in moved if "host" in reason or "home" in reason} == set()


def test_for_a_model_on_the_host_it_is_copied(served: tuple[wb.Server, Any], sharer: Sharer, protocol: Any) -> None:
    _, client = served
    sharer.put(np.concatenate([X, X + 10]))
    client.infer("m", **asked(protocol, offset=16))
    assert np.array_equal(sharer.get(64, 4), X[0] + 10)


def test_regions_are_told_and_forgotten(served: tuple[wb.Server, Any], cuda_stand_in: CudaStandIn) -> None:
    _, client = served
    assert status_of(client) == [("r", 0, BYTE_SIZE)]
    with pytest.raises(Exception, match="registered already"):
        client.register_cuda_shared_memory("r", base64.b64encode(bytes(64)), 0, BYTE_SIZE)
    client.unregister_system_shared_memory()  # of another kind
    assert status_of(client) == [("r", 0, BYTE_SIZE)]
    client.unregister_cuda_shared_memory("r")
    assert status_of(client) == []
    assert cuda_stand_in.calls("cuIpcCloseMemHandle") == 1
    with pytest.raises(Exception, match="not registered"):
        client.get_cuda_shared_memory_status("r")


def test_what_does_not_fit_is_refused(served: tuple[wb.Server, Any], sharer: Sharer, protocol: Any) -> None:
    _, client = served
    for handle, device, byte_size, why in (
        (sharer.handle, 1, 16, "no GPU 1"),
        (sharer.handle, 0, BYTE_SIZE + 1, f"has {BYTE_SIZE}"),
        (sharer.handle, 0, 0, "to have 0 bytes"),
        (base64.b64encode(b"short"), 0, 16, "has 64 bytes"),
        (base64.b64encode(b"\1" * 64), 0, 16, "cuIpcOpenMemHandle"),
    ):
        with pytest.raises(Exception, match=why):
            client.register_cuda_shared_memory("other", handle, device, byte_size)
    with pytest.raises(Exception, match="do not lie within"):
        client.infer("copies", **asked(protocol, offset=BYTE_SIZE - 8))
    told = asked(protocol)
    told["outputs"][0].set_shared_memory("r", 8)
    with pytest.raises(Exception, match="its place in shared memory region 'r'"):
        client.infer("copies", **told)
    assert status_of(client) == [("r", 0, BYTE_SIZE)]


def test_without_a_gpu_it_is_an_argument_that_can_not_be_served(server: wb.Server, protocol: Any) -> None:
    door = server.http() if protocol is tritonclient.http else server.grpc()
    with protocol.InferenceServerClient(f"127.0.0.1:{door.port}") as client:
        with pytest.raises(Exception, match="can not be opened") as refused:
            client.register_cuda_shared_memory("r", base64.b64encode(bytes(64)), 0, 16)
        assert refused.value.status() in {"400", "StatusCode.INVALID_ARGUMENT"}
        assert status_of(client) == []
        client.unregister_cuda_shared_memory()
