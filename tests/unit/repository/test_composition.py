# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Ensembles in the repository: what a load brings along, what an unload takes along."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow import chain, ensemble_text, model_text, write_repository
from workbench.errors import ConfigError, LoadError
from workbench.repository import ModelRepository
from workbench.repository.composition import load_order

MODELS = {
    "a": model_text(),
    "b": model_text(),
    "e": ensemble_text(*chain("a", "b")),
    "n": ensemble_text(*chain("e", "a")),
    "self": ensemble_text(*chain("self")),
    "ring1": ensemble_text(*chain("ring2")),
    "ring2": ensemble_text(*chain("ring1")),
    "lost": ensemble_text(*chain("a", "nowhere")),
    "second": ensemble_text(*chain("a"), extra=""),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_repository(tmp_path, MODELS)


def states(repository: ModelRepository) -> dict[str, str]:
    assert repository.wait_settled(5.0)
    return {entry.name: entry.state for entry in repository.index() if entry.state}


def reason(repository: ModelRepository, name: str) -> str:
    return next(entry.reason for entry in repository.index() if entry.name == name)


def test_the_models_of_the_steps_are_loaded_along(repository: ModelRepository) -> None:
    repository.load("n")
    assert states(repository) == dict.fromkeys(("a", "b", "e", "n"), "READY")


def test_unloading_an_ensemble_leaves_its_models(repository: ModelRepository) -> None:
    repository.load("n")
    repository.unload("n")
    assert states(repository) == {"n": "UNAVAILABLE", "a": "READY", "b": "READY", "e": "READY"}


def test_unloading_with_dependents_takes_the_models_along(repository: ModelRepository) -> None:
    repository.load("n")
    repository.unload("n", dependents=True)
    assert states(repository) == dict.fromkeys(("a", "b", "e", "n"), "UNAVAILABLE")


def test_what_another_ensemble_needs_stays(repository: ModelRepository) -> None:
    repository.load("e")
    repository.load("second")
    repository.unload("e", dependents=True)
    assert states(repository) == {"a": "READY", "b": "UNAVAILABLE", "e": "UNAVAILABLE", "second": "READY"}


def test_what_was_loaded_by_name_stays(repository: ModelRepository) -> None:
    repository.load("e")
    repository.load("b")
    repository.unload("e", dependents=True)
    assert states(repository) == {"a": "UNAVAILABLE", "b": "READY", "e": "UNAVAILABLE"}


def test_without_a_model_of_its_steps_an_ensemble_is_unavailable_and_says_why(repository: ModelRepository) -> None:
    repository.load("n")
    repository.unload("a")
    assert states(repository) == {"a": "UNAVAILABLE", "b": "READY", "e": "UNAVAILABLE", "n": "UNAVAILABLE"}
    assert "'a' was unloaded" in reason(repository, "e")


def test_it_is_back_with_the_model(repository: ModelRepository) -> None:
    repository.load("n")
    repository.unload("a")
    repository.load("a")
    assert states(repository) == dict.fromkeys(("a", "b", "e", "n"), "READY")


def test_an_ensemble_that_was_unloaded_stays_so(repository: ModelRepository) -> None:
    repository.load("e")
    repository.unload("e")
    repository.load("a")
    assert states(repository)["e"] == "UNAVAILABLE"


def test_a_model_that_no_longer_fits_makes_the_ensemble_unavailable(repository: ModelRepository) -> None:
    repository.load("e")
    repository.load("a", config=model_text(dims="5"))
    assert states(repository) == {"a": "READY", "b": "READY", "e": "UNAVAILABLE"}
    assert "[-1, 5]" in reason(repository, "e")
    repository.load("a")
    assert states(repository)["e"] == "READY"


def test_a_model_that_still_fits_changes_nothing(repository: ModelRepository) -> None:
    repository.load("e")
    before = repository.version("e").model
    repository.load("a", config=model_text(addend=1000))
    assert repository.version("e").model is before


def test_an_ensemble_of_itself_is_refused(repository: ModelRepository) -> None:
    with pytest.raises(LoadError, match="self -> self"):
        repository.load("self")
    with pytest.raises(LoadError, match="ring1 -> ring2 -> ring1"):
        repository.load("ring1")


def test_a_model_that_is_nowhere_is_named(repository: ModelRepository) -> None:
    with pytest.raises(LoadError, match="ensemble 'lost' needs model 'nowhere'"):
        repository.load("lost")
    assert states(repository)["lost"] == "UNAVAILABLE"


def test_an_ensemble_that_failed_gets_ready_once_its_model_is_there(repository: ModelRepository, folder: Path) -> None:
    with pytest.raises(LoadError):
        repository.load("lost")
    write_repository(folder, {"nowhere": model_text()})
    repository.load("nowhere")
    assert states(repository)["lost"] == "READY"


def test_a_step_of_another_version_is_refused(repository: ModelRepository) -> None:
    text = ensemble_text(chain("a")[0].replace("model_version: -1", "model_version: 2"))
    with pytest.raises(LoadError, match="version 2"):
        repository.load("e", config=text)


def test_loading_all_brings_ensembles_after_their_models(repository: ModelRepository) -> None:
    errors = repository.load_all(["n", "e", "a", "b", "self"])
    assert set(errors) == {"self"}
    assert {name for name, state in states(repository).items() if state == "READY"} == {"a", "b", "e", "n"}


def test_errors_of_the_graph_point_at_the_text(repository: ModelRepository) -> None:
    text = ensemble_text(*chain("a")).replace('key: "IN"', 'key: "XX"')
    with pytest.raises(ConfigError, match="input 'XX'") as caught:
        repository.load("e", config=text)
    assert caught.value.stage == "load"
    assert caught.value.line > 0


def test_the_order_of_a_load_is_innermost_first() -> None:
    steps = {"n": ("e", "a"), "e": ("a", "b")}
    assert load_order("n", lambda name: steps.get(name, ())) == ("a", "b", "e")
