# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What clients do to a connection of gRPC, and what becomes of it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import numpy as np
import pytest
from tritonclient.grpc import service_pb2, service_pb2_grpc

import workbench as wb
from tests.serving import http2
from tests.serving.conftest import SAMPLES
from tests.serving.http2 import (
    END_STREAM,
    GOAWAY,
    HEADERS,
    INFER,
    PING,
    RESET,
    STREAM,
    connected,
    frame,
    headers,
    message,
)
from tests.serving.http_door import IDENTITY, ONE, SLOW, read
from tests.serving.test_stream import CONFIG, COUNTER
from tests.waiting import wait_until
from workbench.endpoints import native_grpc

pytestmark = pytest.mark.skipif(native_grpc() is None, reason="no native gRPC door in this build")


@pytest.fixture
def door(server: wb.Server) -> Any:
    server.load("m", config=IDENTITY)
    return server.grpc()


def asked(model: str, array: Any, datatype: str = "FP32") -> bytes:
    request = service_pb2.ModelInferRequest(model_name=model, raw_input_contents=[array.tobytes()])
    request.inputs.add(name="INPUT0", datatype=datatype, shape=array.shape)
    raw: bytes = request.SerializeToString()
    return raw


BODY = asked("m", ONE)
ZERO = np.zeros((1, 1), np.float32)


def is_answered(door: Any) -> bool:
    """Whether a client of its own is served."""
    with connected(door) as peer:
        peer.send(headers(1, INFER), message(1, BODY))
        data = peer.until(lambda got: got.kind == http2.DATA)
        answer = service_pb2.ModelInferResponse.FromString(data.payload[5:])
        return bool(answer.raw_output_contents[0] == ONE.tobytes())


def test_pings_are_answered(door: Any) -> None:
    with connected(door) as peer:
        peer.send(frame(PING, payload=b"12345678"))
        assert peer.until(lambda got: got.kind == PING).payload == b"12345678"


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01" * 50, b"\0" * 100])
def test_what_is_no_http2_ends_its_connection_alone(door: Any, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(sent)
        read(connection, b"")
    assert is_answered(door)


def test_what_is_no_grpc_is_refused(door: Any) -> None:
    with connected(door) as peer:
        peer.send(headers(1, INFER, {"content-type": "text/plain"}, flags=END_STREAM | http2.END_HEADERS))
        assert peer.until(lambda got: got.stream == 1).ends


def test_a_head_without_measure_ends_its_stream_alone(door: Any) -> None:
    with connected(door) as peer:
        many = {"x": "y" * 15000, **{f"x{number}": "y" for number in range(60)}}
        peer.send(headers(1, INFER, many), headers(3, INFER), message(3, BODY))
        endings = {got.stream: got.kind for got in _endings(peer, 2)}
        assert endings == {1: RESET, 3: HEADERS}


def _endings(peer: http2.Peer, count: int) -> Iterator[http2.Frame]:
    for _ in range(count):
        yield peer.until(lambda got: got.ends)


def test_calls_that_are_taken_back_again_and_again_end_the_connection(door: Any, server: wb.Server) -> None:
    with connected(door) as peer:
        numbers = range(1, 6001, 2)
        pieces = (headers(number, INFER) + frame(RESET, number, b"\0\0\0\x08") for number in numbers)
        try:
            peer.send(*pieces)
            assert peer.until(lambda got: got.kind == GOAWAY).code != 0
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert is_answered(door)
    assert server.engine.in_flight() == 0


def test_slow_clients_lose_their_connection_or_their_call(server: wb.Server) -> None:
    server.load("m", config=IDENTITY)
    door = server.grpc(slow_client_s=1)
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as slow, connected(door) as peer:
        slow.sendall(http2.GREETING[:10])
        peer.send(headers(1, INFER), frame(http2.DATA, 1, b"\0\0\0\0\x09abc"))
        assert is_answered(door)
        assert peer.until(lambda got: got.stream == 1).ends
        read(slow, b"")


def test_who_does_not_read_holds_up_nobody(server: wb.Server, door: Any) -> None:
    with connected(door, window=0) as peer:
        peer.send(headers(1, INFER), message(1, BODY))
        peer.until(lambda got: got.kind == HEADERS)
        assert is_answered(door)
        peer.send(frame(http2.WINDOW, 1, (1 << 20).to_bytes(4, "big")))
        assert peer.until(lambda got: got.ends).kind == HEADERS
    assert server.engine.in_flight() == 0


def test_a_stream_that_is_not_read_ends_when_too_much_waits(server: wb.Server) -> None:
    wb.build_backend("counter", COUNTER)
    server.load("counter", config=CONFIG)
    door = server.grpc(max_unread_byte_size=1000)
    with connected(door, window=0) as peer:
        peer.send(headers(1, STREAM), message(1, asked("counter", np.array([100], np.int32), "INT32"), flags=0))
        assert peer.until(lambda got: got.kind == RESET).code == http2.ENHANCE_YOUR_CALM
    wait_until(lambda: server.engine.in_flight() == 0)


def test_clients_that_vanish_leave_nothing_behind(server: wb.Server, door: Any) -> None:
    whole = http2.GREETING + frame(http2.SETTINGS) + headers(1, INFER) + message(1, BODY)
    for length in range(0, len(whole), 17):
        with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
            connection.sendall(whole[:length])
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, no farewell
    assert is_answered(door)
    wait_until(lambda: server.engine.in_flight() == 0)


def test_a_client_that_goes_away_cancels_its_requests(server: wb.Server, door: Any) -> None:
    slow = server.load("slow", config=SLOW)
    with connected(door) as peer:
        for number in range(1, 12, 2):
            peer.send(headers(number, INFER), message(number, asked("slow", ZERO)))
        wait_until(lambda: server.engine.in_flight() == 6)
        peer.send(frame(RESET, 11, b"\0\0\0\x08"))
    wait_until(lambda: server.engine.in_flight() == 0)
    assert slow.statistics().inference_count <= 3  # most never ran


def test_a_door_that_closes_says_so_and_answers_what_it_took(server: wb.Server, door: Any) -> None:
    server.load("slow", config=SLOW)
    with connected(door) as idle, connected(door) as peer:
        idle.send(frame(PING, payload=b"12345678"))
        idle.until(lambda got: got.kind == PING)
        peer.send(headers(1, INFER), message(1, asked("slow", ZERO)))
        wait_until(lambda: server.engine.in_flight() == 1)
        closing = threading.Thread(target=door.close)
        closing.start()
        assert [got.code for got in idle.frames() if got.kind == GOAWAY] == [0]
        got = list(peer.frames())
        closing.join()
        kinds = [one.kind for one in got]
        assert kinds.index(GOAWAY) < kinds.index(http2.DATA)
        assert got[-1].stream == 1 and got[-1].ends


def test_a_door_that_closes_lets_its_clients_read_to_the_end(server: wb.Server) -> None:
    model = server.load("m", config=IDENTITY.replace("[ 4 ]", "[ -1 ]"))
    door = server.grpc()
    array = np.zeros((1, 1 << 20), np.float32)
    with connected(door, window=(1 << 31) - 1) as peer:
        raw = asked("m", array)
        pieces = [raw[at : at + 16000] for at in range(0, len(raw), 16000)]
        peer.send(frame(http2.WINDOW, 0, (1 << 30).to_bytes(4, "big")), headers(1, INFER))
        peer.send(frame(http2.DATA, 1, b"\0" + len(raw).to_bytes(4, "big")))
        peer.send(*(frame(http2.DATA, 1, piece, (piece is pieces[-1]) * END_STREAM) for piece in pieces))
        wait_until(lambda: model.statistics().inference_count == 1)
        closing = threading.Thread(target=door.close)
        closing.start()
        got = []
        for one in peer.frames():
            got.append(one)
            with suppress(OSError):  # as clients do that tell what they have read
                peer.send(frame(PING, payload=b"12345678"))
        closing.join()
    assert sum(len(one.payload) for one in got if one.kind == http2.DATA) > array.nbytes
    assert any(one.ends for one in got)


def test_a_stream_that_waits_for_its_client_ends_when_the_door_closes(server: wb.Server, door: Any) -> None:
    with connected(door) as peer:
        peer.send(headers(1, STREAM), frame(PING, payload=b"12345678"))
        peer.until(lambda got: got.kind == PING)
        door.close()
        assert peer.until(lambda got: got.stream == 1).ends


def test_a_client_that_does_not_read_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with wb.Server([tmp_path, SAMPLES], exit_timeout_s=0.1) as server:
        model = server.load("m", config=IDENTITY)
        door = server.grpc()
        with connected(door, window=0) as peer:
            peer.send(headers(1, INFER), message(1, BODY))
            wait_until(lambda: model.statistics().inference_count == 1)
            door.close()


def test_errors_of_a_stream_end_it_where_the_client_wants_that(door: Any) -> None:
    wrong = service_pb2.ModelInferRequest(model_name="nobody")
    with grpc.insecure_channel(door.url) as channel:
        infer = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelStreamInfer
        assert next(infer(iter([wrong]))).error_message
        with pytest.raises(grpc.RpcError) as ended:
            next(infer(iter([wrong]), metadata=[("triton_grpc_error", "true")]))
    assert ended.value.code() == grpc.StatusCode.NOT_FOUND


def test_answers_of_decoupled_models_wait_for_nobody(server: wb.Server, door: Any) -> None:
    wb.build_backend("counter", COUNTER)
    server.load("counter", config=CONFIG)
    server.load("slow", config=SLOW)
    raws = asked("slow", ZERO), asked("counter", np.array([2], np.int32), "INT32")
    requests = [service_pb2.ModelInferRequest.FromString(raw) for raw in raws]
    with grpc.insecure_channel(door.url) as channel:
        answers = service_pb2_grpc.GRPCInferenceServiceStub(channel).ModelStreamInfer(iter(requests))
        names = [answer.infer_response.model_name for answer in answers]
    assert names == ["counter", "counter", "slow"]


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_answers_are_packed_for_those_who_take_it(server: wb.Server, coding: str) -> None:
    server.load("m", config=IDENTITY)
    door = server.grpc(infer_response_compression_level="high")
    with connected(door) as peer:
        peer.send(headers(1, INFER, {"grpc-accept-encoding": f"identity,{coding}"}), message(1, BODY))
        packed = peer.until(lambda got: got.kind == http2.DATA).payload
        peer.send(headers(3, INFER), message(3, BODY))
        plain = peer.until(lambda got: got.kind == http2.DATA).payload
    assert (packed[0], plain[0]) == (1, 0)
    assert packed[5:7] == {"gzip": b"\x1f\x8b", "deflate": b"\x78\xda"}[coding]


def test_requests_are_served_while_the_kernel_computes(door: Any) -> None:
    """A Python loop that never lets go holds up no inference by more than the load of the machine."""
    stop = threading.Event()
    spinning = threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)])
    spinning.start()
    try:
        with connected(door) as peer:
            peer.send(*(headers(number, INFER) + message(number, BODY) for number in range(1, 401, 2)))
            assert sum(1 for _ in _endings(peer, 200)) == 200
    finally:
        stop.set()
        spinning.join()
