# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m workbench serve`, in a process of its own, as clients and signals meet it."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tritonclient import grpc as grpc_client

from tests.serving.http_door import IDENTITY, ONE, SLOW, SLOW_BODY
from tests.waiting import wait_until
from workbench.terminal.serve_plan import TOKEN_VARIABLE

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")
http_client = pytest.importorskip("tritonclient.http", reason="tritonclient[http] is not installed")

FREE = ("--http-port=0", "--grpc-port=0", "--metrics-port=0")


class Served:
    """One run of the command."""

    def __init__(self, repository: Path, *flags: str) -> None:
        command = [sys.executable, "-m", "workbench", "serve", str(repository), *FREE, *flags]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
        self.process = subprocess.Popen(command, env=environment, **pipes)
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.said.extend(iter(self.process.stderr.readline, ""))

    def ready(self) -> dict[str, str]:
        """Addresses by protocol, once it serves."""
        assert self.process.stdout is not None
        line = next((line for line in self.process.stdout if line.startswith("ready:")), "")
        assert line, self.said
        return dict(door.split(" ") for door in line.removeprefix("ready: ").strip().split(", "))

    def end(self, *signals: int) -> tuple[int, str]:
        """The exit status and what was said, after these signals."""
        for number in signals:
            self.process.send_signal(number)
        status = self.process.wait(30)
        self._reader.join()
        return status, "".join(self.said)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in {"m": IDENTITY, "slow": SLOW.replace("200000", "1500000")}.items():
        (tmp_path / name / "1").mkdir(parents=True)
        (tmp_path / name / "config.pbtxt").write_text(text)
    return tmp_path


@pytest.fixture
def serve(repository: Path) -> Iterator[Callable[..., Served]]:
    """Runs the command on models `m` and `slow`."""
    runs: list[Served] = []

    def run(*flags: str) -> Served:
        runs.append(Served(repository, *flags))
        return runs[-1]

    yield run
    for one in runs:
        one.close()


def infer_over_http(url: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=20)
    try:
        connection.request("POST", "/v2/models/slow/infer", SLOW_BODY)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def infer_over_grpc(url: str) -> str:
    """ "OK", or the status."""
    told = grpc_client.InferInput("INPUT0", [1, 1], "FP32")
    told.set_data_from_numpy(np.zeros((1, 1), np.float32))
    with grpc_client.InferenceServerClient(url) as client:
        try:
            client.infer("slow", [told])
        except grpc_client.InferenceServerException as error:
            return str(error.status())
        return "OK"


def in_flight(url: str) -> int:
    """Requests for `slow` that are waiting or running."""
    with urllib.request.urlopen(url, timeout=20) as page:
        lines = page.read().decode().splitlines()
    waiting = [line for line in lines if line.startswith("nv_inference_pending_request_count") and '"slow"' in line]
    return int(float(waiting[0].rsplit(" ", 1)[1])) if waiting else 0


def test_it_serves_every_door_and_answers_what_is_in_flight(serve: Callable[..., Served]) -> None:
    run = serve("--id=mine", "--log-verbose=1")
    urls = run.ready()
    told = http_client.InferInput("INPUT0", [1, 4], "FP32")
    told.set_data_from_numpy(ONE)
    with http_client.InferenceServerClient(urls["http"].removeprefix("http://")) as client:
        assert (client.infer("m", [told]).as_numpy("OUTPUT0") == ONE).all()
        assert client.get_server_metadata()["name"] == "mine"
        with pytest.raises(http_client.InferenceServerException):
            client.unload_model("m")  # control is none, as with the original
    with urllib.request.urlopen(urls["metrics"], timeout=20) as page:
        assert b"nv_inference_count" in page.read()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(infer_over_http, urls["http"])
        wait_until(lambda: in_flight(urls["metrics"]) >= 0)
        second = pool.submit(infer_over_grpc, urls["grpc"])
        wait_until(lambda: in_flight(urls["metrics"]) == 1)  # one runs, one waits
        status, said = run.end(signal.SIGTERM)
        assert (first.result()[0], second.result(), status) == (200, "OK", 0)
    assert "SIGTERM: ending; 2 requests in flight get 30 s" in said
    for url in urls.values():
        host, port = url.removeprefix("http://").removesuffix("/metrics").split(":")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((host, int(port)))


@pytest.mark.parametrize(
    ("flags", "signals"),
    [(["--exit-timeout-secs=0"], [signal.SIGINT]), (["--exit-timeout-secs=600"], [signal.SIGINT, signal.SIGTERM])],
    ids=["no patience", "a second signal"],
)
def test_who_is_given_up_is_told(
    serve: Callable[..., Served], repository: Path, flags: list[str], signals: list[int]
) -> None:
    # Long enough to be given up before it ends, however slow the machine.
    (repository / "slow" / "config.pbtxt").write_text(SLOW.replace("200000", "15000000"))
    run = serve(*flags)
    urls = run.ready()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(infer_over_http, urls["http"])
        second = pool.submit(infer_over_grpc, urls["grpc"])
        wait_until(lambda: in_flight(urls["metrics"]) == 1)  # one runs, one waits
        run.process.send_signal(signals[0])
        wait_until(lambda: any("ending" in line for line in run.said))
        status, _ = run.end(*signals[1:])
        assert first.result()[0] == 503
        assert second.result() in {"StatusCode.UNAVAILABLE", "StatusCode.CANCELLED"}
    assert status == 1


def test_what_can_not_be_served_ends_with_one_and_says_why(serve: Callable[..., Served], repository: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        (repository / "broken" / "1").mkdir(parents=True)
        (repository / "broken" / "config.pbtxt").write_text('backend: "nobody"')
        taken = serve(f"--http-port={other.getsockname()[1]}", "--exit-on-error=false")
        broken, unknown = serve(), serve("--frobnicate")
        for run, reason in {taken: "can not be listened at", broken: "broken", unknown: "--frobnicate"}.items():
            status, said = run.end()
            assert (status, reason in said) == (1, True), said
