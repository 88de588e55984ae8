# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Hundreds of gRPC requests, good, odd and malformed, are answered as the real server answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from tritonclient.grpc import service_pb2 as pb

import workbench as wb
from tests.conformance.grpc_cases import all_cases
from tests.conformance.grpc_differences import DIFFERENT, PLAIN
from tests.conformance.grpc_requests import HEALTH, SERVICE, GrpcCase
from tests.conformance.http_models import write_models
from workbench.endpoints.native import native_endpoints
from workbench.server.finder import WHEEL_BACKENDS

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

COUNTED: Final = ("ModelStatistics", "ModelConfig", "ServerMetadata")
"""Calls whose content other tests compare, or that tell of time."""

Told = tuple[Any, ...]


def ask(channel: grpc.Channel, case: GrpcCase) -> Told:
    """The status, and what was said where it is OK."""
    if case.is_stream:
        return ask_stream(channel, case)
    try:
        raw = channel.unary_unary(case.method)(case.messages[0], timeout=20)
    except grpc.RpcError as error:
        return (error.code().name,)
    return "OK", told_by(case.method, raw)


def ask_stream(channel: grpc.Channel, case: GrpcCase) -> Told:
    """The status, and of each answer its id, outputs and flags, or that it is an error; unordered."""
    answers = []
    try:
        for raw in channel.stream_stream(case.method)(iter(case.messages), timeout=20):
            message = pb.ModelStreamInferResponse.FromString(raw)
            answers.append((bool(message.error_message), MessageToDict(message.infer_response)))
    except grpc.RpcError as error:
        return (error.code().name, sorted(answers, key=str))
    return "OK", sorted(answers, key=str)


def told_by(method: str, raw: bytes) -> Any:
    name = method.rsplit("/", 1)[1]
    if method.startswith(HEALTH):
        return raw
    message: Message = getattr(pb, f"{name}Response").FromString(raw)
    if name in COUNTED:
        return sorted(field.name for field, _ in message.ListFields())
    told = MessageToDict(message)
    if name == "RepositoryIndex":
        told["models"] = sorted(told["models"], key=lambda model: str(model["name"]))
    return told


@pytest.fixture(scope="module")
def channels(tmp_path_factory: pytest.TempPathFactory, real_triton: Callable[..., Any]) -> Iterator[Any]:
    """To ours and to the real server, with the same models of the same backend."""
    repository: Path = tmp_path_factory.mktemp("grpc")
    write_models(repository)
    names = sorted(folder.name for folder in repository.iterdir())
    arguments = ["--model-control-mode=explicit", *(f"--load-model={name}" for name in names)]
    real = real_triton(repository, WHEEL_BACKENDS, args=arguments)
    with (
        wb.Server(repository, name="grpc", startup_models=names) as server,
        grpc.insecure_channel(server.grpc().url) as own,
        grpc.insecure_channel(f"127.0.0.1:{real.grpc}") as other,
    ):
        yield own, other


def test_requests_are_answered_alike(channels: Any) -> None:
    cases = all_cases()
    assert len(cases) >= 150
    assert len({case.name for case in cases}) == len(cases)
    different = {}
    for case in cases:
        own, real = (ask(channel, case) for channel in channels)
        if own != real:
            different[case.name] = (own, real)
    expected = DIFFERENT if hasattr(native_endpoints(), "GrpcServer") else {**DIFFERENT, **PLAIN}
    assert {name: (own[0], real[0]) for name, (own, real) in different.items()} == expected, "\n".join(
        f"{name}: {own} / {real}" for name, (own, real) in different.items()
    )


def test_every_method_of_the_service_is_asked() -> None:
    service = pb.DESCRIPTOR.services_by_name["GRPCInferenceService"]
    asked = {case.method for case in all_cases()}
    assert {f"{SERVICE}{name}" for name in service.methods_by_name} <= asked
