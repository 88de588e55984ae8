# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%serve --http --grpc --metrics`: cells that run again, and kernels that end, leave no port behind."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

import workbench as wb
from tests.serving.http_door import IDENTITY, exchange, request
from tests.serving.test_doors import free_port
from tests.shells import notebook_shell
from tests.waiting import wait_until

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

LIVE = request("/v2/health/live", method="GET", head="Connection: close\r\n")


@pytest.fixture
def shell() -> Iterator[Any]:
    with notebook_shell() as shell:
        yield shell


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "m" / "1").mkdir(parents=True)
    (tmp_path / "m" / "config.pbtxt").write_text(IDENTITY)
    return tmp_path


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_cell_that_runs_again_has_the_same_port_and_leaves_none_behind(shell: Any, repository: Path) -> None:
    port = free_port()
    line = f"{repository} --load m --http {port} --grpc --metrics"
    first = shell.run_line_magic("serve", line)
    before = first.doors
    second = shell.run_line_magic("serve", line)
    assert first is not second
    http, grpc, page = second.doors
    assert (http.kind, grpc.kind, page.kind) == ("http", "grpc", "metrics")
    assert http.port == port
    assert b"200 OK" in exchange(http, LIVE)
    assert http.url in repr(second) and http.url in second._repr_html_()
    wait_until(lambda: all(door.is_closed for door in before))
    for door in before[1:]:
        wait_until(lambda port=door.port: is_free(port))


def test_the_server_that_runs_gets_doors_too_and_keeps_a_free_port(shell: Any, repository: Path) -> None:
    server = shell.run_line_magic("serve", str(repository))
    assert server.doors == ()
    shell.run_line_magic("serve", "--http")
    (door,) = server.doors
    assert shell.run_line_magic("serve", "--http").doors == (door,)
    port = free_port()
    shell.run_line_magic("serve", f"--metrics {port}")
    shell.run_line_magic("serve", f"--metrics {port}")
    assert [one.port for one in server.doors] == [door.port, port]


def test_a_port_that_another_program_has_is_told(shell: Any, repository: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(wb.UnavailableError, match="can not be listened at"):
            shell.run_line_magic("serve", f"{repository} --http {other.getsockname()[1]}")


def test_a_kernel_that_is_killed_or_restarted_leaves_no_port_behind(repository: Path) -> None:
    port = free_port()
    cell = f"%load_ext workbench\n%serve {repository} --load m --http {port}"
    manager, client = start_new_kernel()
    try:
        client.execute_interactive(cell, timeout=60, output_hook=lambda _: None)
        assert not is_free(port)
        manager.restart_kernel(now=True)
        client.wait_for_ready(timeout=60)
        assert is_free(port)
        client.execute_interactive(cell, timeout=60, output_hook=lambda _: None)
        assert not is_free(port)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
