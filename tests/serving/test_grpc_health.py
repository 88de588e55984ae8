# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""gRPC's health service, of the native door and of the one on grpcio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

import workbench as wb
from tests.serving.http_door import IDENTITY
from tests.serving.test_grpc import code_of, door, implementation

__all__ = ["door", "implementation"]  # fixtures


def test_health_and_tokens(server: wb.Server) -> None:
    door = server.grpc(token="secret")
    with grpc.insecure_channel(door.url) as channel:
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        assert code_of(check, b"") == grpc.StatusCode.UNAUTHENTICATED
        assert check(b"", metadata=[("authorization", "Bearer secret")]) == b"\x08\x01"


def test_whoever_watches_health_is_told_of_changes(tmp_path: Path) -> None:
    with wb.Server(tmp_path, name="watched", strict_readiness=True) as server:
        door = server.grpc()
        with grpc.insecure_channel(door.url) as channel:
            told = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"\x0a\x01m", timeout=30)
            assert next(told) == b"\x08\x01"
            with pytest.raises(wb.WorkbenchError):
                server.load("m", config=IDENTITY.replace("identity", "none_such"))
            assert next(told) == b"\x08\x02"
            server.load("m", config=IDENTITY)
            assert next(told) == b"\x08\x01"
            door.close()
            assert next(told) == b"\x08\x02"
            assert code_of(next, told) == grpc.StatusCode.UNAVAILABLE


def test_a_door_that_closes_says_so_to_whoever_has_just_begun_to_watch(tmp_path: Path) -> None:
    with wb.Server(tmp_path, name="watched") as server:
        for _ in range(10):
            door = server.grpc()
            with grpc.insecure_channel(door.url) as channel:
                told = channel.unary_stream("/grpc.health.v1.Health/Watch")(b"", timeout=30)
                assert next(told) == b"\x08\x01"
                door.close()
                assert next(told) == b"\x08\x02"
                assert code_of(next, told) == grpc.StatusCode.UNAVAILABLE


def test_a_client_that_stops_watching_leaves_nothing_behind(door: Any) -> None:
    with grpc.insecure_channel(door.url) as channel:
        watch = channel.unary_stream("/grpc.health.v1.Health/Watch")
        for _ in range(20):
            told = watch(b"", timeout=30)
            assert next(told) == b"\x08\x01"
            told.cancel()
        ended = watch(b"", timeout=0.2)
        assert next(ended) == b"\x08\x01"
        assert code_of(lambda: next(ended)) == grpc.StatusCode.DEADLINE_EXCEEDED
    door.close()  # waits for nobody
