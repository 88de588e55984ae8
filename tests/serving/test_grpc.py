# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The gRPC door, native and on grpcio, with the standard client."""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import shared_memory
from typing import Any

import grpc
import numpy as np
import pytest
from tritonclient import grpc as tritonclient
from tritonclient.grpc import aio as tritonclient_aio
from tritonclient.grpc import service_pb2, service_pb2_grpc

import workbench as wb
from tests.serving.http_door import IDENTITY, ONE, SLOW, infer_in_shared_memory
from tests.serving.test_stream import CONFIG, COUNTER
from tests.waiting import wait_until
from workbench.endpoints import grpc_options


@pytest.fixture(params=["native", "grpcio"], autouse=True)
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The native door, and the one that serves where nghttp2 was missing at build."""
    if request.param == "grpcio":
        monkeypatch.setattr(grpc_options, "native_grpc", lambda: None)
    elif grpc_options.native_grpc() is None:
        pytest.skip("this build has no native gRPC door")
    return str(request.param)


@pytest.fixture
def door(server: wb.Server) -> Any:
    server.load("m", config=IDENTITY)
    return server.grpc()


@pytest.fixture
def client(door: Any) -> Iterator[Any]:
    with tritonclient.InferenceServerClient(door.url) as client:
        yield client


@pytest.fixture
def stub(door: Any) -> Iterator[Any]:
    with grpc.insecure_channel(door.url) as channel:
        yield service_pb2_grpc.GRPCInferenceServiceStub(channel)


def an_input(array: Any = ONE, datatype: str = "FP32") -> Any:
    told = tritonclient.InferInput("INPUT0", list(array.shape), datatype)
    told.set_data_from_numpy(array)
    return told


def code_of(call: Any, *arguments: Any) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as refused:
        call(*arguments)
    code: grpc.StatusCode = refused.value.code()
    return code


def test_inference_and_management(client: Any, server: wb.Server) -> None:
    assert (client.infer("m", [an_input()], request_id="7").as_numpy("OUTPUT0") == ONE).all()
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("m")
    assert not client.is_model_ready("nobody")
    assert client.get_server_metadata().name == "triton"
    assert client.get_model_metadata("m").inputs[0].shape == [-1, 4]
    assert client.get_model_config("m").config.max_batch_size == 8
    assert client.get_inference_statistics("m").model_stats[0].inference_count == 1
    client.load_model("other", config=json.dumps({"backend": "identity", "max_batch_size": 2, **tensors_json()}))
    assert {"m", "other"} <= {model.name for model in client.get_model_repository_index().models}
    client.unload_model("other")
    assert not client.is_model_ready("other")
    assert server.engine.in_flight() == 0


def tensors_json() -> dict[str, Any]:
    tensor = {"data_type": "TYPE_FP32", "dims": [4]}
    return {"input": [{"name": "INPUT0", **tensor}], "output": [{"name": "OUTPUT0", **tensor}]}


@pytest.mark.parametrize("datatype", ["BOOL", "INT8", "INT32", "INT64", "UINT16", "UINT64", "FP32", "FP64", "BYTES"])
def test_typed_contents_are_as_good_as_raw_ones(server: wb.Server, stub: Any, datatype: str) -> None:
    name = {"BYTES": "STRING"}.get(datatype, datatype)
    server.load("typed", config=IDENTITY.replace("FP32", name))
    fields = {"BOOL": "bool_contents", "INT8": "int_contents", "INT32": "int_contents", "INT64": "int64_contents",
              "UINT16": "uint_contents", "UINT64": "uint64_contents", "FP32": "fp32_contents", "FP64": "fp64_contents",
              "BYTES": "bytes_contents"}  # fmt: skip
    elements: list[Any] = [b"a", b"", b"c\0", b"d"] if datatype == "BYTES" else [0, 1, 0, 1]
    request = service_pb2.ModelInferRequest(model_name="typed")
    tensor = request.inputs.add(name="INPUT0", datatype=datatype, shape=[1, 4])
    getattr(tensor.contents, fields[datatype]).extend(elements)
    answer = stub.ModelInfer(request)
    got = wb.tensors.from_wire(datatype, (4,), answer.raw_output_contents[0])
    assert list(got) == elements


def test_contradictions_are_refused(stub: Any) -> None:
    request = service_pb2.ModelInferRequest(model_name="m", raw_input_contents=[ONE.tobytes()])
    tensor = request.inputs.add(name="INPUT0", datatype="FP32", shape=[1, 4])
    assert stub.ModelInfer(request).outputs[0].name == "OUTPUT0"
    tensor.contents.fp32_contents.extend([1, 2, 3, 4])
    assert code_of(stub.ModelInfer, request) == grpc.StatusCode.INVALID_ARGUMENT
    tensor.ClearField("contents")
    request.raw_input_contents.append(b"")
    assert code_of(stub.ModelInfer, request) == grpc.StatusCode.INVALID_ARGUMENT
    request.ClearField("raw_input_contents")
    assert code_of(stub.ModelInfer, request) == grpc.StatusCode.INVALID_ARGUMENT
    request.model_name = "nobody"
    assert code_of(stub.ModelInfer, request) == grpc.StatusCode.NOT_FOUND


def test_requests_in_flight_are_batched(door: Any, server: wb.Server) -> None:
    config = SLOW.replace("max_batch_size: 1", "max_batch_size: 32 dynamic_batching { }").replace("200000", "20000")
    slow = server.load("slow", config=config)
    array = np.zeros((1, 1), np.float32)
    with tritonclient.InferenceServerClient(door.url) as client, ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda _: client.infer("slow", [an_input(array)]), range(32)))
    assert slow.statistics().execution_count < 16


def test_a_stream_answers_in_order_and_says_which_is_the_last(server: wb.Server, client: Any) -> None:
    wb.build_backend("counter", COUNTER)
    server.load("counter", config=CONFIG)
    got: queue.Queue[Any] = queue.Queue()
    client.start_stream(lambda result, error: got.put((result, error)))
    for count in (2, -1, 1):
        told = an_input(np.array([count], np.int32), "INT32")
        client.async_stream_infer("counter", [told], request_id=str(count), enable_empty_final_response=True)
    seen = []
    while len(seen) < 6:
        result, error = got.get(timeout=20)
        if error is not None:
            seen.append("error")
            continue
        answer = result.get_response()
        is_final = answer.parameters["triton_final_response"].bool_param
        seen.append((answer.id, "end" if is_final else int(result.as_numpy("OUTPUT0")[0])))
    client.stop_stream()
    assert seen == [("2", 0), ("2", 1), ("2", "end"), "error", ("1", 0), ("1", "end")]


def test_a_deadline_cancels(server: wb.Server, client: Any) -> None:
    server.load("slow", config=SLOW)
    with pytest.raises(tritonclient.InferenceServerException) as refused:
        client.infer("slow", [an_input(np.zeros((1, 1), np.float32))], client_timeout=0.02)
    assert "Deadline" in str(refused.value)
    wait_until(lambda: server.engine.in_flight() == 0)


def test_tensors_lie_in_shared_memory(client: Any) -> None:
    region = shared_memory.SharedMemory(create=True, size=64)
    try:
        infer_in_shared_memory(tritonclient, client, region)
        assert list(client.get_system_shared_memory_status().regions) == ["r"]
        client.unregister_system_shared_memory("r")
        assert not client.get_system_shared_memory_status().regions
    finally:
        region.close()
        region.unlink()


def test_settings_are_read_and_changed(client: Any, server: wb.Server) -> None:
    assert client.update_trace_settings("m", {"trace_rate": "5"}).settings["trace_rate"].value == ["5"]
    assert server.trace("m").trace_rate == 5
    client.update_trace_settings("m", {"trace_rate": None})
    assert client.get_log_settings().settings["log_info"].bool_param


def test_a_door_that_closes_answers_what_it_took(server: wb.Server) -> None:
    server.load("slow", config=SLOW)
    door = server.grpc()
    with tritonclient.InferenceServerClient(door.url) as client, ThreadPoolExecutor(1) as pool:
        pending = pool.submit(client.infer, "slow", [an_input(np.zeros((1, 1), np.float32))])
        wait_until(lambda: server.engine.in_flight() == 1)
        door.close()
        assert pending.result().as_numpy("OUTPUT0").shape == (1, 1)


def test_messages_are_packed_and_limited(server: wb.Server) -> None:
    server.load("m", config=IDENTITY)
    door = server.grpc(max_message_byte_size=1000, infer_response_compression_level="low")
    request = service_pb2.ModelInferRequest(model_name="m", raw_input_contents=[ONE.tobytes()])
    request.inputs.add(name="INPUT0", datatype="FP32", shape=[1, 4])
    with grpc.insecure_channel(door.url) as channel:
        stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
        for packing in (grpc.Compression.Gzip, grpc.Compression.Deflate, grpc.Compression.NoCompression):
            assert stub.ModelInfer(request, compression=packing).raw_output_contents[0] == ONE.tobytes()
        request.id = "x" * 2000
        for packing in (grpc.Compression.Gzip, grpc.Compression.NoCompression):
            with pytest.raises(grpc.RpcError) as refused:
                stub.ModelInfer(request, compression=packing)
            assert refused.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_what_is_not_served_says_so(door: Any) -> None:
    with grpc.insecure_channel(door.url) as channel:
        assert code_of(channel.unary_unary("/inference.GRPCInferenceService/Other"), b"") == _UNIMPLEMENTED
        assert code_of(channel.unary_unary("/other.Service/ServerLive"), b"") == _UNIMPLEMENTED


_UNIMPLEMENTED = grpc.StatusCode.UNIMPLEMENTED


def test_a_call_that_is_cancelled_leaves_the_core(server: wb.Server, door: Any) -> None:
    server.load("slow", config=SLOW)
    with tritonclient.InferenceServerClient(door.url) as client:
        calls = [client.async_infer("slow", [an_input(np.zeros((1, 1), np.float32))], _ignore) for _ in range(6)]
        wait_until(lambda: server.engine.in_flight() == 6)
        for call in calls:
            call.cancel()
        wait_until(lambda: server.engine.in_flight() == 0)
    assert server.model("slow").statistics().inference_count <= 3  # most never ran


def _ignore(result: Any, error: Any) -> None:
    del result, error


def test_streams_share_a_connection_and_end_when_their_clients_do(server: wb.Server, stub: Any) -> None:
    server.load("slow", config=SLOW.replace("200000", "20000"))
    slow = service_pb2.ModelInferRequest(model_name="slow", id="slow", raw_input_contents=[bytes(4)])
    slow.inputs.add(name="INPUT0", datatype="FP32", shape=[1, 1])
    quick = service_pb2.ModelInferRequest(model_name="m", id="quick", raw_input_contents=[ONE.tobytes()])
    quick.inputs.add(name="INPUT0", datatype="FP32", shape=[1, 4])
    wrong = service_pb2.ModelInferRequest(model_name="nobody", id="wrong")
    streams = [stub.ModelStreamInfer(iter([slow, quick, wrong, quick])) for _ in range(4)]
    for stream in streams:
        told = [(answer.infer_response.id, bool(answer.error_message)) for answer in stream]
        assert told == [("slow", False), ("quick", False), ("wrong", True), ("quick", False)]


def test_clients_that_await(server: wb.Server, door: Any) -> None:
    async def infer() -> list[Any]:
        async with tritonclient_aio.InferenceServerClient(door.url) as client:
            assert await client.is_server_ready()
            results = await asyncio.gather(*(client.infer("m", [an_input(ONE + step)]) for step in range(20)))
            return [result.as_numpy("OUTPUT0") for result in results]

    assert all((got == ONE + step).all() for step, got in enumerate(asyncio.run(infer())))
    assert server.engine.in_flight() == 0


def test_sequences_have_a_begin_and_an_end(server: wb.Server, client: Any) -> None:
    server.load("turns", config=IDENTITY + "sequence_batching { }")
    with pytest.raises(tritonclient.InferenceServerException, match="START"):
        client.infer("turns", [an_input()], sequence_id=7)
    for name in (7, "seven"):
        for step in range(3):
            flags = {"sequence_start": step == 0, "sequence_end": step == 2}
            assert (client.infer("turns", [an_input()], sequence_id=name, **flags).as_numpy("OUTPUT0") == ONE).all()


def test_outputs_in_shared_memory_and_in_the_answer_keep_in_step(server: wb.Server, client: Any) -> None:
    server.load("pair", config=PAIR)
    region = shared_memory.SharedMemory(create=True, size=16)
    try:
        client.register_system_shared_memory("r", f"/{region.name}", region.size)
        first, second = tritonclient.InferRequestedOutput("OUTPUT0"), tritonclient.InferRequestedOutput("OUTPUT1")
        first.set_shared_memory("r", 16)
        inputs = [tritonclient.InferInput(name, [1, 4], "FP32") for name in ("INPUT0", "INPUT1")]
        for step, told in enumerate(inputs):
            told.set_data_from_numpy(ONE + step)
        result = client.infer("pair", inputs, outputs=[first, second])
        assert bytes(region.buf) == ONE.tobytes()
        assert (result.as_numpy("OUTPUT1") == ONE + 1).all()
    finally:
        region.close()
        region.unlink()


PAIR = """
backend: "identity" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "INPUT1" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "OUTPUT1" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""
