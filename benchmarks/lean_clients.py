# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Clients that cost little beside the server they load: wrk for HTTP, h2load for gRPC (Debian: wrk, nghttp2-client).

On a machine where client and server share two cores, perf_analyzer takes most of them, and hides what a server costs.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tritonclient.grpc import service_pb2

from tests.conformance.perf_analyzer import Measured

PROGRAMS: Final = {"http": "wrk", "grpc": "h2load"}
_UNITS: Final = {"us": 1.0, "ms": 1e3, "s": 1e6}
_WRK_SCRIPT: Final = """
wrk.method = "POST"
wrk.path = "/v2/models/{model}/infer"
wrk.headers["Inference-Header-Content-Length"] = "{head_size}"
wrk.headers["Content-Type"] = "application/octet-stream"
wrk.body = '{head}' .. string.rep("\\0", {byte_size})
"""


def is_there(protocol: str) -> bool:
    """Whether this machine has the client."""
    return shutil.which(PROGRAMS[protocol]) is not None


def measure_lean(url: str, *, model: str, elements: int, protocol: str, concurrency: int, window_ms: int) -> Measured:
    """Closed loop of so many requests of one FP32 tensor in flight."""
    measured = _wrk if protocol == "http" else _h2load
    with tempfile.TemporaryDirectory() as folder:
        return measured(Path(folder), url, model, elements, concurrency, max(1, round(window_ms / 1000)))


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def _wrk(folder: Path, url: str, model: str, elements: int, concurrency: int, seconds: int) -> Measured:
    size = elements * 4
    tensor = {"name": "INPUT0", "datatype": "FP32", "shape": [1, elements], "parameters": {"binary_data_size": size}}
    wish = {"name": "OUTPUT0", "parameters": {"binary_data": True}}
    head = json.dumps({"inputs": [tensor], "outputs": [wish]})
    script = folder / "infer.lua"
    script.write_text(_WRK_SCRIPT.format(model=model, head=head, head_size=len(head), byte_size=size))
    said = _run(["wrk", "-t1", f"-c{concurrency}", f"-d{seconds}s", "--latency", "-s", str(script), f"http://{url}"])
    if "Non-2xx" in said:
        message = f"wrk was refused: {said}"
        raise RuntimeError(message)
    return Measured(float(_found(r"Requests/sec:\s+([\d.]+)", said)[1]), _quantile(said, 50), _quantile(said, 99))


def _quantile(said: str, percent: int) -> float:
    value, unit = _found(rf"\b{percent}%\s+([\d.]+)(us|ms|s)\b", said).groups()
    return float(value) * _UNITS[unit]


def _found(pattern: str, said: str) -> re.Match[str]:
    match = re.search(pattern, said)
    if match is None:
        message = f"nothing like {pattern!r} in: {said}"
        raise RuntimeError(message)
    return match


def _h2load(folder: Path, url: str, model: str, elements: int, concurrency: int, seconds: int) -> Measured:
    request = service_pb2.ModelInferRequest(model_name=model, raw_input_contents=[bytes(elements * 4)])
    request.inputs.add(name="INPUT0", datatype="FP32", shape=[1, elements])
    message = request.SerializeToString()
    (folder / "body").write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)
    command = ["h2load", "-c1", f"-m{concurrency}", "-t1", f"-D{seconds}", "-w24", "-W28"]
    command += [f"--log-file={folder / 'log'}", "-d", str(folder / "body"), "-H", "te: trailers"]
    command += ["-H", "content-type: application/grpc", f"http://{url}/inference.GRPCInferenceService/ModelInfer"]
    said = _run(command)
    answered = int(_found(r"(\d+) succeeded, 0 failed, 0 errored", said)[1])
    if int(_found(r"\((\d+)\) data", said)[1]) < answered * elements * 4:  # a refusal is 200, too, in its trailers
        failure = f"h2load was refused: {said}"
        raise RuntimeError(failure)
    times = sorted(float(line.split("\t")[2]) for line in (folder / "log").read_text().splitlines())
    rate = float(_found(r"finished in [\d.]+\w+, ([\d.]+) req/s", said)[1])
    return Measured(rate, statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))])
