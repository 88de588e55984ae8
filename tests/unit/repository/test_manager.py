# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workbench.errors import ConfigError, LoadError, NotFoundError, UnavailableError
from workbench.repository import ModelRepository
from workbench.testing import ECHO_CONFIG, FakeEngine, FakeFinder, FakePreflight, StatusError, write_model

M_CONFIG = ECHO_CONFIG.replace("{name}", "m")
TENSOR = [("INPUT0", "FP32", (1, 4), bytes(16))]


def state(repository: ModelRepository, name: str = "m") -> str:
    return next(entry.state for entry in repository.index() if entry.name == name)


def test_model_that_was_never_loaded_has_only_a_name(repository: ModelRepository) -> None:
    (entry,) = repository.index()
    assert (entry.name, entry.version, entry.state, entry.reason) == ("m", 0, "", "")


def test_loaded_model_is_ready(repository: ModelRepository, finder: FakeFinder) -> None:
    repository.load("m")
    (entry,) = repository.index(ready=True)
    assert (entry.name, entry.version, entry.state) == ("m", 1, "READY")
    assert entry.library == finder.library
    assert repository.version("m").spec.max_batch_size == 8


def test_each_version_is_tried_before_it_is_opened(repository: ModelRepository, preflight: FakePreflight) -> None:
    repository.load("m")
    assert preflight.tried == [1]


def test_load_of_unchanged_files_does_nothing(repository: ModelRepository, engine: FakeEngine) -> None:
    repository.load("m")
    repository.load("m")
    assert len(engine.models) == 1


def test_load_after_a_file_changed_replaces_the_model(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    repository.load("m")
    (folder / "m" / "1" / "weights").write_text("new")
    repository.load("m")
    assert repository.wait_settled(5.0)
    assert [model.state for model in engine.models] == ["closed", "started"]
    assert state(repository) == "READY"


def test_requests_in_flight_are_answered_by_the_replaced_model(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    engine.is_held = True
    repository.load("m")
    call = engine.submit("m", -1, TENSOR)
    (folder / "m" / "1" / "weights").write_text("new")
    repository.load("m")
    assert not repository.wait_settled(0.1)
    assert engine.models[0].state == "started"
    engine.answer(call)
    assert repository.wait_settled(5.0)
    assert engine.models[0].state == "closed"
    assert engine.models[0].answered == 1


def test_failed_reload_keeps_the_old_model_and_tells_why(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    repository.load("m")
    (folder / "m" / "1" / "weights").write_text("new")
    engine.refusals["m"] = StatusError("UNSUPPORTED", "no such weights")
    with pytest.raises(LoadError, match=r"'echo' refused model 'm': no such weights \(UNSUPPORTED\)"):
        repository.load("m")
    (entry,) = repository.index()
    assert (entry.state, "no such weights" in entry.reason) == ("READY", True)
    engine.submit("m", -1, TENSOR)


def test_failed_load_is_unavailable_with_its_reason(repository: ModelRepository, engine: FakeEngine) -> None:
    engine.refusals["m"] = StatusError("INTERNAL", "no engine")
    with pytest.raises(LoadError):
        repository.load("m")
    (entry,) = repository.index()
    assert (entry.version, entry.state, "no engine" in entry.reason) == (1, "UNAVAILABLE", True)
    with pytest.raises(UnavailableError, match="no engine"):
        repository.version("m")
    engine.refusals.clear()
    repository.load("m")
    assert state(repository) == "READY"


def test_when_one_of_several_versions_fails_none_is_published(
    repository: ModelRepository, folder: Path, preflight: FakePreflight
) -> None:
    write_model(folder, "m", extra="version_policy { all { } }", versions=(1, 2))
    preflight.refusals[2] = LoadError("version 2")
    with pytest.raises(LoadError):
        repository.load("m")
    assert repository.index(ready=True) == ()


def test_broken_configuration_is_told_with_its_place(repository: ModelRepository, folder: Path) -> None:
    (folder / "m" / "config.pbtxt").write_text('name: "m"\nmax_batch_size: many\n')
    with pytest.raises(ConfigError) as refusal:
        repository.load("m")
    assert (refusal.value.line, refusal.value.column) == (2, 17)
    assert refusal.value.source.endswith("m/config.pbtxt")
    (entry,) = repository.index()
    assert (entry.version, entry.state) == (0, "UNAVAILABLE")


def test_name_that_differs_from_the_folder_is_refused(repository: ModelRepository, folder: Path) -> None:
    write_model(folder, "n", text=ECHO_CONFIG.replace("{name}", "other"))
    with pytest.raises(ConfigError, match="other"):
        repository.load("n")


def test_model_without_a_version_to_serve_is_refused(repository: ModelRepository, folder: Path) -> None:
    write_model(folder, "m", extra="version_policy { specific { versions: [ 7 ] } }")
    with pytest.raises(LoadError, match="specific versions 7 asked, there are 1"):
        repository.load("m")


def test_kind_gpu_without_a_gpu_is_refused_with_the_way_out(repository: ModelRepository, folder: Path) -> None:
    write_model(folder, "m", extra="instance_group [ { kind: KIND_GPU } ]")
    with pytest.raises(ConfigError, match="KIND_CPU"):
        repository.load("m")


def test_unknown_model_is_not_found_and_not_remembered(repository: ModelRepository) -> None:
    with pytest.raises(NotFoundError, match="no model 'x'"):
        repository.load("x")
    assert [entry.name for entry in repository.index()] == ["m"]
    with pytest.raises(NotFoundError, match="no model 'x'"):
        repository.version("x")


def test_unload_of_an_unknown_model_is_fine(repository: ModelRepository) -> None:
    repository.unload("x")


def test_unload_takes_no_more_requests_and_answers_those_in_flight(
    repository: ModelRepository, engine: FakeEngine
) -> None:
    engine.is_held = True
    repository.load("m")
    call = engine.submit("m", -1, TENSOR)
    repository.unload("m")
    assert state(repository) == "UNLOADING"
    with pytest.raises(StatusError):
        engine.submit("m", -1, TENSOR)
    engine.answer(call)
    assert repository.wait_settled(5.0)
    (entry,) = repository.index()
    assert (entry.state, entry.reason) == ("UNAVAILABLE", "unloaded")
    with pytest.raises(UnavailableError, match=r"server\.load\('m'\)"):
        repository.version("m")


def test_override_replaces_the_file_and_a_plain_load_returns_to_it(repository: ModelRepository) -> None:
    repository.load("m", config=M_CONFIG.replace("max_batch_size: 8", "max_batch_size: 2"))
    assert repository.version("m").spec.max_batch_size == 2
    repository.load("m")
    assert repository.version("m").spec.max_batch_size == 8


@pytest.mark.parametrize("spelling", ["mapping", "json"])
def test_override_may_be_json_or_a_mapping(repository: ModelRepository, spelling: str) -> None:
    tensor = {"data_type": "TYPE_FP32", "dims": ["4"]}
    mapping = {
        "backend": "echo",
        "max_batch_size": "3",
        "input": [{"name": "A", **tensor}],
        "output": [{"name": "B", **tensor}],
    }
    repository.load("m", config=mapping if spelling == "mapping" else str(mapping).replace("'", '"'))
    assert repository.version("m").spec.max_batch_size == 3


def test_configuration_without_files_makes_a_model(repository: ModelRepository) -> None:
    repository.load("cell", config=ECHO_CONFIG.replace("{name}", "cell"))
    assert repository.version("cell").version == 1
    assert state(repository, "cell") == "READY"


def test_configuration_for_a_name_that_is_no_folder_is_refused(repository: ModelRepository) -> None:
    with pytest.raises(Exception, match="can not name a model"):
        repository.load("../x", config=ECHO_CONFIG.replace("{name}", ""))


def test_versions_that_the_policy_drops_are_unloaded(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    write_model(folder, "m", extra="version_policy { all { } }", versions=(1, 2))
    repository.load("m")
    assert [entry.version for entry in repository.index(ready=True)] == [1, 2]
    write_model(folder, "m")
    repository.load("m")
    assert repository.wait_settled(5.0)
    assert [(entry.version, entry.state) for entry in repository.index()] == [(1, "UNAVAILABLE"), (2, "READY")]


def test_new_library_of_a_backend_moves_its_models(
    repository: ModelRepository, engine: FakeEngine, finder: FakeFinder
) -> None:
    repository.load("m")
    finder.library = Path("/backends/libtriton_echo.2.so")
    repository.move_users("other")
    assert len(engine.models) == 1
    repository.move_users("echo")
    assert repository.wait_settled(5.0)
    assert repository.version("m").library == finder.library
    assert [model.state for model in engine.models] == ["closed", "started"]


def test_move_to_a_library_that_fails_keeps_the_old_one(
    repository: ModelRepository, engine: FakeEngine, finder: FakeFinder
) -> None:
    repository.load("m")
    old, finder.library = finder.library, Path("/backends/libtriton_echo.2.so")
    engine.refusals["m"] = StatusError("INTERNAL", "broken")
    repository.move_users("echo")
    assert repository.wait_settled(5.0)
    assert repository.version("m").library == old
    assert "broken" in repository.index()[0].reason


def test_load_and_unload_fired_at_once_end_in_the_state_of_the_last(
    repository: ModelRepository, engine: FakeEngine
) -> None:
    generator = random.Random(1)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(100):
            # The barrier of submission is the repository's own: the order of calls is fixed, their execution is not.
            is_load = [generator.random() < 0.5 for _ in range(8)]
            futures = [pool.submit(repository.load if load else repository.unload, "m") for load in is_load]
            for future in futures:
                future.result()
    repository.load("m")
    assert state(repository) == "READY"
    repository.unload("m")
    assert repository.wait_settled(5.0)
    assert state(repository) == "UNAVAILABLE"
    assert {model.state for model in engine.models} == {"closed"}


def test_requests_sent_while_a_model_reloads_are_all_answered(
    repository: ModelRepository, engine: FakeEngine, folder: Path
) -> None:
    repository.load("m")
    stop = threading.Event()
    answered: list[bool] = []

    def send() -> None:
        while not stop.is_set():
            answered.append(engine.submit("m", -1, TENSOR).wait(5.0))

    sender = threading.Thread(target=send)
    sender.start()
    for count in range(20):
        (folder / "m" / "1" / "weights").write_text("x" * count)
        repository.load("m")
    stop.set()
    sender.join()
    assert answered
    assert all(answered)
