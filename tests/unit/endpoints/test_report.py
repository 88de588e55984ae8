# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What `doctor` says of doors that a build has, and of those that it lacks."""

from __future__ import annotations

import importlib.util
import sys
from types import SimpleNamespace

import pytest

from workbench.endpoints import doors_report


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A build with doors; what is set on it is in it."""
    module = SimpleNamespace(__file__="/there/_endpoints.so")
    monkeypatch.setattr("workbench._endpoints", module, raising=False)
    monkeypatch.setitem(sys.modules, "workbench._endpoints", module)
    return module


def found() -> dict[str, tuple[str, str]]:
    return {finding.subject: (finding.state, finding.detail) for finding in doors_report()}


def test_a_whole_build_serves_by_native_loops(built: SimpleNamespace) -> None:
    built.GrpcServer = object
    assert found() == {
        "HTTP and metrics doors": ("ok", "native loops, /there/_endpoints.so"),
        "gRPC door": ("ok", "native loops, on nghttp2"),
    }


def test_without_nghttp2_grpc_is_slower_and_it_says_what_brings_it(built: SimpleNamespace) -> None:
    state, detail = found()["gRPC door"]
    assert state == "ok" and "on grpcio" in detail and "libnghttp2-dev" in detail


def test_without_the_doors_it_says_what_brings_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("workbench._endpoints", raising=False)
    monkeypatch.setitem(sys.modules, "workbench._endpoints", None)
    state, detail = found()["HTTP and metrics doors"]
    assert state == "missing" and "libboost-dev" in detail
    assert found()["gRPC door"][0] == "ok"
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr("workbench.endpoints.report.find_spec", lambda _: None)
    assert found()["gRPC door"] == (
        "missing",
        "these front doors are not built; pip install 'tritonclient[grpc]' brings grpcio, on which it runs, too",
    )
