# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The HTTP door, with standard clients."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Iterator
from multiprocessing import shared_memory
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

import workbench as wb
from tests.serving.http_door import IDENTITY, ONE, exchange, infer_in_shared_memory, request

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")
tritonclient = pytest.importorskip("tritonclient.http", reason="tritonclient[http] is not installed")


@pytest.fixture
def client(door: Any) -> Iterator[Any]:
    with tritonclient.InferenceServerClient(f"127.0.0.1:{door.port}") as client:
        yield client


def an_input(array: Any = ONE, *, binary: bool = True) -> Any:
    told = tritonclient.InferInput("INPUT0", list(array.shape), "FP32")
    told.set_data_from_numpy(array, binary_data=binary)
    return told


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("coding", [None, "gzip", "deflate"])
def test_tritonclient_infers(client: Any, binary: bool, coding: str | None) -> None:
    wish = tritonclient.InferRequestedOutput("OUTPUT0", binary_data=binary)
    packing = {"request_compression_algorithm": coding, "response_compression_algorithm": coding}
    reply = client.infer("m", [an_input(binary=binary)], outputs=[wish], request_id="seven", **packing)
    assert (reply.as_numpy("OUTPUT0") == ONE).all()
    assert reply.get_response()["id"] == "seven"


def test_tritonclient_manages(client: Any, server: wb.Server) -> None:
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("m")
    assert client.get_model_metadata("m")["inputs"][0]["name"] == "INPUT0"
    client.load_model("other", config=json.dumps({"backend": "identity", "max_batch_size": 2, **tensors_json()}))
    assert server.model("other").infer({"INPUT0": ONE})["OUTPUT0"].shape == (1, 4)
    assert {"m", "other"} <= {row["name"] for row in client.get_model_repository_index()}
    client.unload_model("other")
    assert not client.is_model_ready("other")
    client.infer("m", [an_input()])
    told = client.get_inference_statistics("m")["model_stats"][0]
    assert told["inference_count"] == server.model("m").statistics().inference_count == 1


def tensors_json() -> dict[str, Any]:
    tensor = {"data_type": "TYPE_FP32", "dims": [4]}
    return {"input": [{"name": "INPUT0", **tensor}], "output": [{"name": "OUTPUT0", **tensor}]}


def test_many_requests_are_in_flight_at_once(door: Any) -> None:
    from tritonclient.http import aio

    async def run() -> int:
        async with aio.InferenceServerClient(f"127.0.0.1:{door.port}") as client:
            replies = await asyncio.gather(*(client.infer("m", [an_input()]) for _ in range(64)))
            return sum(bool((reply.as_numpy("OUTPUT0") == ONE).all()) for reply in replies)

    assert asyncio.run(run()) == 64


def test_tensors_lie_in_shared_memory(client: Any) -> None:
    region = shared_memory.SharedMemory(create=True, size=64)
    try:
        told = infer_in_shared_memory(tritonclient, client, region)
        assert [row["name"] for row in client.get_system_shared_memory_status()] == ["r"]
        with pytest.raises(tritonclient.InferenceServerException, match="registered already"):
            client.register_system_shared_memory("r", f"/{region.name}", 64)
        wish = tritonclient.InferRequestedOutput("OUTPUT0")
        wish.set_shared_memory("r", 16, offset=32)
        (output,) = client.infer("m", [told], outputs=[wish]).get_response()["outputs"]
        assert output == {"name": "OUTPUT0", "datatype": "FP32", "shape": [1, 4]}
        wish._parameters["binary_data"] = True
        with pytest.raises(tritonclient.InferenceServerException, match="not both"):
            client.infer("m", [told], outputs=[wish])
        told.set_shared_memory("r", 16, offset=60)
        with pytest.raises(tritonclient.InferenceServerException, match="do not lie within"):
            client.infer("m", [told])
        client.unregister_system_shared_memory("r")
        assert client.get_system_shared_memory_status() == []
    finally:
        region.close()
        region.unlink()


def test_a_sequence_keeps_its_place(client: Any, server: wb.Server) -> None:
    server.load("s", config=IDENTITY + "sequence_batching { oldest { max_candidate_sequences: 4 } }")
    client.infer("s", [an_input()], sequence_id=7, sequence_start=True)
    client.infer("s", [an_input()], sequence_id=7, sequence_end=True)
    with pytest.raises(tritonclient.InferenceServerException) as refused:
        client.infer("s", [an_input()], sequence_id=7)
    assert refused.value.status() == "400"


def test_prometheus_reads_the_metrics(server: wb.Server) -> None:
    server.load("m", config=IDENTITY)
    server.model("m").infer({"INPUT0": ONE})
    page = server.metrics_endpoint()
    with urllib.request.urlopen(page.url, timeout=20) as answer:
        text = answer.read().decode()
    found = {family.name: family for family in text_string_to_metric_families(text)}
    assert found["nv_inference_request_success"].samples[0].value == 1
    assert b"404" in exchange(page, request("/v2", method="GET", head="Connection: close\r\n"))
