# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import Any

import pytest

from workbench.errors import UnavailableError
from workbench.server import Server


@pytest.fixture
def watched(shell: Any, server: Server) -> Any:
    server.load("m")
    found = shell.run_line_magic("watch", "m --window 4 --objective 5")
    yield found
    found.close()


def test_watch_shows_the_model_that_it_names(watched: Any) -> None:
    facts = watched.dashboard.facts
    assert (facts.name, facts.state, facts.objective_p99_ms) == ("m", "READY", 5.0)
    assert watched.dashboard.pump.is_running


def test_watch_of_a_server_offers_its_models(shell: Any, server: Server) -> None:
    server.load("m")
    found = shell.run_line_magic("watch", "--no-controls")
    assert (found.choice.options, found.controls) == (("m",), None)
    found.close()


def test_watch_says_what_is_missing(shell: Any, server: Server) -> None:
    with pytest.raises(UnavailableError, match="load one"):
        shell.run_line_magic("watch", "")


def test_the_sliders_change_the_running_model(watched: Any, server: Server) -> None:
    watched.controls.delay.value = 500
    assert server.model("m").spec.batching.max_queue_delay_ns == 500_000
