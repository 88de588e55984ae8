# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The Grafana dashboard's queries are answered by a real Prometheus that scrapes a server's metrics."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest

import workbench as wb
from tests.waiting import wait_until

pytest.importorskip("workbench._native", reason="no core: make build")
ROOT: Final = Path(__file__).parents[2]
DASHBOARD: Final = json.loads((ROOT / "docs/grafana/inference-serving.json").read_text(encoding="utf-8"))
EXPRESSIONS: Final = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
MEAN_BATCH: Final = next(one for one in EXPRESSIONS if "nv_inference_count" in one)
VARIABLES: Final = {"$model": ".*", "$__rate_interval": "4s"}


def filled(expression: str) -> str:
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Prometheus:
    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/v1/"

    def ask(self, path: str, **query: str) -> Any:
        with urllib.request.urlopen(f"{self._url}{path}?{urllib.parse.urlencode(query)}", timeout=5) as reply:
            return json.load(reply)["data"]

    def values(self, expression: str) -> list[float]:
        return [float(one["value"][1]) for one in self.ask("query", query=expression)["result"]]

    def is_scraping(self) -> bool:
        with suppress(OSError):
            return any(target["health"] == "up" for target in self.ask("targets")["activeTargets"])
        return False


@contextmanager
def scraping(target: str, folder: Path) -> Iterator[Prometheus]:
    port, config = free_port(), folder / "prometheus.yml"
    config.write_text(f"""
        global: {{ scrape_interval: 500ms, scrape_timeout: 400ms }}
        scrape_configs: [ {{ job_name: workbench, static_configs: [ {{ targets: [ "{target}" ] }} ] }} ]
    """)
    command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}"]
    command += [f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield Prometheus(port)
        finally:
            process.terminate()


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="no prometheus on this machine")
def test_every_query_of_the_dashboard_finds_the_load(tmp_path: Path) -> None:
    options = {"summary_latencies": "true"}
    with wb.Server(ROOT / "model_repository", name="scraped", metrics_config=options) as server:
        model = server.load("synthetic")
        target = server.metrics_endpoint().url.removeprefix("http://").removesuffix("/metrics")
        with scraping(target, tmp_path) as prometheus:
            wait_until(prometheus.is_scraping, seconds=60)
            wb.drive(model, rate=300, duration_s=4, repeats=0)
            wait_until(lambda: prometheus.values("nv_inference_request_success") == [1200.0])
            silent = [one for one in EXPRESSIONS if not prometheus.values(filled(one))]
            assert silent == []
            assert min(prometheus.values(filled(MEAN_BATCH))) >= 1
