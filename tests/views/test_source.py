# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from workbench.errors import NotFoundError
from workbench.server import RUNNING, Server
from workbench.testing import FakeEngine, write_model
from workbench.views import watch
from workbench.views.source import ModelSource

CONFIG = """
backend: "echo"
max_batch_size: 8
input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] } ]
instance_group [ { count: 2 kind: KIND_CPU } ]
dynamic_batching { max_queue_delay_microseconds: 300 preferred_batch_size: [ 4, 8 ] }
"""


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setattr("workbench.server.builds.preflight.try_model", lambda *_, **__: None)
    library = tmp_path / "backends" / "echo" / "libtriton_echo.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"echo")
    write_model(tmp_path / "models", "m", text=CONFIG)
    server = Server(tmp_path / "models", backends=[tmp_path / "backends"], engine=FakeEngine(), name="source")
    yield server
    server.close()


@pytest.fixture
def source(server):
    return ModelSource(server.load("m"), objective_p99_ms=5.0)


def test_facts_are_those_of_the_configuration(source):
    facts = source.facts()
    assert facts.headline == "v1 · READY · 2 × CPU · batch ≤ 8, delay 300 µs, preferred 4 8"
    assert (facts.instances, facts.objective_p99_ms) == (("instance 0", "instance 1"), 5.0)


def test_a_change_is_seen_in_the_facts(source):
    source.reconfigure(max_queue_delay_microseconds=700)
    assert source.facts().max_queue_delay_microseconds == 700


def test_a_model_that_is_unloaded_keeps_its_facts(server, source):
    server.unload("m")
    facts = source.facts()
    assert (facts.state, facts.max_batch_size) == ("UNAVAILABLE", 8)
    server.load("m")
    assert source.facts().state == "READY"


def test_a_model_of_a_closed_server_can_not_be_watched(server, source):
    server.close()
    with pytest.raises(NotFoundError, match="the server of model 'm' is closed"):
        watch(source.model)


def test_the_server_of_a_model_is_found_among_several(server, source, tmp_path):
    other = Server(tmp_path / "models", engine=FakeEngine(), name="other")
    assert ModelSource(server.model("m"))._server is server
    other.close()
    assert "source" in RUNNING.names()
