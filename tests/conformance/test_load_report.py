# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What balancers of load ask with a request, how full the key-value cache is.

The real server of release 2.51 does not tell it yet; the form is that of its later releases.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

import workbench as wb
from tests.flow import build_data_backend, model_text, write_repository

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

ROUTES: Final = {
    "infer": {"inputs": [{"name": "INPUT0", "shape": [1, 1], "datatype": "FP32", "data": [1]}]},
    "generate": {"INPUT0": 1},
}


def report(port: int, route: str, wish: str | None) -> str | None:
    """The field of the answer's head; None: it has none."""
    headers = {} if wish is None else {"endpoint-load-metrics-format": wish}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", f"/v2/models/m/{route}", json.dumps(ROUTES[route]), headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        return answer.getheader("endpoint-load-metrics")
    finally:
        connection.close()


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory, real_triton: Callable[..., Any]) -> Iterator[tuple[int, int]]:
    backends = build_data_backend("kv_cache", tmp_path_factory.mktemp("backends"))
    text = model_text(inputs=["INPUT0"], outputs=["OUTPUT0"], dims="1", backend="kv_cache")
    repository = write_repository(tmp_path_factory.mktemp("models"), {"m": text})
    real = real_triton(repository, backends)
    with wb.Server(repository, name="load-report", control="none", backends=[backends]) as server:
        yield server.http().port, real.http


TOLD: Final = {
    "json": 'JSON {"named_metrics":{"kv_cache_utilization":0.25,"max_token_capacity":768}}',
    "text": "TEXT named_metrics.kv_cache_utilization=0.250000, named_metrics.max_token_capacity=768",
}


@pytest.mark.parametrize("wish", [None, "json", "text", "xml"])
@pytest.mark.parametrize("route", ["infer", "generate"])
def test_the_report_has_the_form_that_was_asked_for(ports: tuple[int, int], route: str, wish: str | None) -> None:
    own, real = (report(port, route, wish) for port in ports)
    assert own == TOLD.get(wish or "")
    assert real in {None, own}
