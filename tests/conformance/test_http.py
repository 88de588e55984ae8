# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Hundreds of HTTP requests, good, odd and malformed, are answered as the real server answers them."""

from __future__ import annotations

import gzip
import http.client
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import workbench as wb
from tests.conformance.http_cases import all_cases
from tests.conformance.http_models import HttpCase, write_models
from workbench.server.finder import WHEEL_BACKENDS

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

DIFFERENT: Final = {
    "GET /v2/models/m%5FINT32": (200, 404),
    "framed texts, short": (400, 200),
    "shape is []": (500, 400),
    "data nested 120 deep": (400, 200),
    "the number 123456789012345678901234567890": (200, 200),
    "trace {'log_frequency': '-1'}": (400, 200),
    "trace of a model {'log_frequency': '-1'}": (400, 200),
    "register CUDA memory {'raw_handle': 'AA', 'device_id': 0, 'byte_size': 16}": (400, 500),
    "gzip, cut short": (400, 500),
    "deflate, cut short": (400, 500),
}
"""Ours and the real server's status; docs/compatibility.md has the reasons."""
COUNTS: Final = ("/stats", "/config")
"""Routes whose content the tests of statistics and configurations compare."""

Told = tuple[Any, ...]


def ask(port: int, case: HttpCase) -> Told:
    """The status, and what was said where it is 200: JSON and the bytes after it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        body = None if case.method == "GET" else case.body
        connection.request(case.method, case.path, body=body, headers=dict(case.headers))
        response = connection.getresponse()
        return told_by(case, response, response.read())
    finally:
        connection.close()


def told_by(case: HttpCase, response: http.client.HTTPResponse, body: bytes) -> Told:
    if response.status != 200:
        return (response.status,)
    coding = response.getheader("Content-Encoding")
    body = gzip.decompress(body) if coding == "gzip" else zlib.decompress(body) if coding == "deflate" else body
    if "event-stream" in response.getheader("Content-Type", ""):
        return 200, [json.loads(event.removeprefix("data: ")) for event in body.decode().strip().split("\n\n")]
    json_size = int(response.getheader("Inference-Header-Content-Length", len(body)))
    text = body[:json_size]
    if case.path.endswith(COUNTS) or case.path in {"/v2", "/v2/"}:
        return 200, sorted(json.loads(text))
    told = json.loads(text) if text else None
    if isinstance(told, list):  # an index
        told = sorted(told, key=lambda entry: str(entry["name"]))
    return 200, coding, told, body[json_size:]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("http")
    write_models(folder)
    return folder


@pytest.fixture(scope="module")
def ports(repository: Path, real_triton: Callable[..., Any]) -> Iterator[tuple[int, int]]:
    """Of ours and of the real server, with the same models of the same backend."""
    names = sorted(folder.name for folder in repository.iterdir())
    arguments = ["--model-control-mode=explicit", *(f"--load-model={name}" for name in names)]
    real = real_triton(repository, WHEEL_BACKENDS, args=arguments)
    with wb.Server(repository, name="http", startup_models=names) as server, server.http() as door:
        yield door.port, int(real.url.rsplit(":", 1)[1].strip("/"))


def test_requests_are_answered_alike(ports: tuple[int, int]) -> None:
    cases = all_cases()
    assert len(cases) >= 300
    different = {}
    for case in cases:
        own, real = (ask(port, case) for port in ports)
        if own != real:
            different[case.name] = (own, real)
    assert {name: (own[0], real[0]) for name, (own, real) in different.items()} == DIFFERENT, different
