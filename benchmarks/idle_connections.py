# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What connections cost that wait: resident memory of a serving process before and after so many of each protocol.

Each connection has had one inference, so that what it keeps afterwards is counted, too.

    python benchmarks/idle_connections.py [--connections 1000]
"""

from __future__ import annotations

import argparse
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tritonclient.grpc import service_pb2  # noqa: E402

from tests.serving import http2  # noqa: E402
from tests.serving.http_door import IDENTITY, JSON_BODY, ONE, read, request  # noqa: E402

OWN_SERVER: Final = """
import sys
import workbench as wb
server = wb.Server(sys.argv[1], name="measured")
server.load("m", config=sys.argv[2])
print(server.http().port, server.grpc().port, flush=True)
sys.stdin.read()
"""


def resident_kib(process: int) -> int:
    """Resident memory of a process."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Rss"))


def ask_http(connection: socket.socket) -> None:
    """One inference over HTTP, to the end of its JSON."""
    connection.sendall(request("/v2/models/m/infer", JSON_BODY))
    read(connection, b"]}]}")


def ask_grpc(connection: socket.socket) -> None:
    """One inference over gRPC."""
    message = service_pb2.ModelInferRequest(model_name="m", raw_input_contents=[ONE.tobytes()])
    message.inputs.add(name="INPUT0", datatype="FP32", shape=ONE.shape)
    peer = http2.Peer(connection)
    peer.send(http2.GREETING, http2.frame(http2.SETTINGS), http2.headers(1, http2.INFER))
    peer.send(http2.message(1, message.SerializeToString()))
    peer.until(lambda got: got.ends)


def cost_kib(process: int, port: int, count: int, ask: Callable[[socket.socket], None]) -> int:
    """What `count` connections add."""
    with socket.create_connection(("127.0.0.1", port)) as first:
        ask(first)
    before = resident_kib(process)
    connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    for connection in connections:
        ask(connection)
    time.sleep(0.2)
    added = resident_kib(process) - before
    for connection in connections:
        connection.close()
    return added


def main() -> None:
    """Prints a row for each protocol."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=1000)
    count = parser.parse_args().connections
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count + 1000), most))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", OWN_SERVER, folder, IDENTITY]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            http, grpc = (int(port) for port in process.stdout.readline().split())
            print(f"| protocol | MiB of {count} idle connections |\n|---|---|")
            print(f"| http | {cost_kib(process.pid, http, count, ask_http) / 1024:.1f} |", flush=True)
            print(f"| grpc | {cost_kib(process.pid, grpc, count, ask_grpc) / 1024:.1f} |", flush=True)
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
