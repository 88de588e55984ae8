# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Clients turn tracing on and off over HTTP and gRPC; the trace files are divided and read as the real server's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import pytest
from tritonclient.grpc import service_pb2 as pb
from tritonclient.grpc import service_pb2_grpc

import workbench as wb
from tests.conformance.grpc_requests import a_request
from tests.conformance.http_models import one, with_inputs, write_model
from tests.conformance.side_by_side import ask
from tests.waiting import wait_until
from workbench.server.finder import WHEEL_BACKENDS

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

OURS_ALONE: Final = "TENSOR_BACKEND_INPUT"
"""docs/compatibility.md tells."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A server whose traces go to a file."""

    url: str
    stub: Any
    file: Path

    def set_over_http(self, model: str, **settings: Any) -> dict[str, Any]:
        status, told = ask(self, f"/v2/models/{model}/trace/setting", settings)  # type: ignore[arg-type]
        assert status == 200, told
        return dict(told)

    def set_over_grpc(self, model: str, **settings: Any) -> None:
        request = pb.TraceSettingRequest(model_name=model)
        for name, value in settings.items():
            request.settings[name].value.extend(value if isinstance(value, list) else [value])
        self.stub.TraceSetting(request, timeout=20)

    def infer_over_http(self, model: str, request_id: str) -> None:
        status, _ = ask(self, f"/v2/models/{model}/infer", with_inputs(one(), id=request_id))  # type: ignore[arg-type]
        assert status == 200

    def infer_over_grpc(self, model: str, request_id: str) -> None:
        self.stub.ModelInfer(a_request(model=model, id=request_id), timeout=20)

    def part(self, number: int) -> Any:
        """What a numbered file tells, once it is there whole."""
        path = self.file.with_name(f"{self.file.name}.{number}")
        wait_until(lambda: path.exists() and path.read_text().endswith("]"))
        return shape_of(json.loads(path.read_text()))


def shape_of(entries: list[dict[str, Any]]) -> list[Any]:
    """Of each trace, by its request: what heads it, the points that it passed, and its tensors."""
    traces: dict[int, tuple[dict[str, Any], set[str], list[Any]]] = {}
    for entry in entries:
        head, points, tensors = traces.setdefault(entry["id"], ({}, set(), []))
        head |= {key: value for key, value in entry.items() if key not in {"id", "timestamps", "activity", "tensor"}}
        points |= {point["name"] for point in entry.get("timestamps", ())}
        if "tensor" in entry and entry["activity"] != OURS_ALONE:
            values = [float(value) for value in entry["tensor"]["data"].split(",")]
            tensors.append((entry["activity"], {**entry["tensor"], "data": values}))
    return sorted(((head, sorted(points), tensors) for head, points, tensors in traces.values()), key=str)


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory, real_triton: Callable[..., Any]
) -> Iterator[tuple[Traced, Traced]]:
    """Ours and the real one; neither traces yet."""
    repository: Path = tmp_path_factory.mktemp("traced")
    for name in ("h", "g", "c", "o"):
        write_model(repository, name, "INT32", batch=8)
    files = [tmp_path_factory.mktemp(whose) / "trace.json" for whose in ("ours", "real")]
    real = real_triton(
        repository, WHEEL_BACKENDS, args=[f"--trace-config=triton,file={files[1]}", "--trace-config=level=OFF"]
    )
    with (
        wb.Server(repository, name="traced", control="none") as server,
        grpc.insecure_channel(server.grpc().url) as own,
        grpc.insecure_channel(f"127.0.0.1:{real.grpc}") as other,
    ):
        server.trace(trace_file=str(files[0]))
        stubs = [service_pb2_grpc.GRPCInferenceServiceStub(channel) for channel in (own, other)]
        yield Traced(server.http().url, stubs[0], files[0]), Traced(real.url, stubs[1], files[1])


def test_a_frequency_divides_traces_into_numbered_files(servers: tuple[Traced, Traced]) -> None:
    for served in servers:
        told = served.set_over_http("h", trace_level=["TIMESTAMPS"], trace_rate="1", log_frequency="2")
        assert told["log_frequency"] == "2"
        for number in range(4):
            served.infer_over_http("h", f"r{number}")
    for number in (0, 1):
        own, real = (served.part(number) for served in servers)
        assert [head["request_id"] for head, _, _ in own] == [f"r{2 * number}", f"r{2 * number + 1}"]
        assert own == real
    for served in servers:
        served.set_over_http("h", trace_level=["OFF"])


def test_a_count_that_is_reached_ends_a_numbered_file(servers: tuple[Traced, Traced]) -> None:
    for served in servers:
        served.set_over_grpc(
            "g", trace_level=["TIMESTAMPS", "TENSORS"], trace_rate="1", trace_count="2", log_frequency="0"
        )
        for number in range(3):
            served.infer_over_grpc("g", f"g{number}")
    own, real = (served.part(2) for served in servers)
    assert len(own) == 2
    assert own == real


def test_what_is_left_when_the_settings_change_goes_to_the_file_itself(servers: tuple[Traced, Traced]) -> None:
    ours, _ = servers  # the real server keeps it until it ends
    ours.set_over_http("c", trace_level=["TENSORS"], trace_rate="2", log_frequency="5")
    for number in range(4):
        ours.infer_over_grpc("c", f"c{number}")
    ours.set_over_grpc("c", trace_level=["OFF"])
    wait_until(lambda: ours.file.exists() and ours.file.read_text().endswith("]"))
    left = shape_of(json.loads(ours.file.read_text()))
    assert [head["request_id"] for head, _, _ in left] == ["c1", "c3"]
