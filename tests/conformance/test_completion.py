# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a backend may complete of a configuration, and what it says in vain, here and in the real server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

import workbench as wb
from tests.conformance.peer import RealTriton
from tests.conformance.side_by_side import ask, load_both
from tests.flow import model_text, write_repository
from workbench.config import complete, parse_config, to_json

pytest.importorskip("workbench._native", reason="no core: make build")

BARE: Final = 'backend: "witness" instance_group [ { kind: KIND_CPU } ]'
FULL: Final = model_text(backend="witness")
TENSOR: Final = {"data_type": "TYPE_FP32", "dims": [4]}
DYNAMIC: Final = {"preferred_batch_size": [2], "max_queue_delay_microseconds": 7}
SEQUENCE: Final = "sequence_batching { }"
SAYINGS: Final[Mapping[str, tuple[str, Any]]] = {
    "all": (BARE, {"max_batch_size": 4, "input": [{"name": "IN", **TENSOR}], "output": [{"name": "OUT", **TENSOR}]}),
    "nothing": (FULL, {}),
    "smaller_batch": (FULL, {"max_batch_size": 2}),
    "no_batch": (FULL, {"max_batch_size": 0}),
    "batching": (FULL, {"dynamic_batching": DYNAMIC}),
    "other_batching": (FULL + "dynamic_batching { preferred_batch_size: [ 8 ] }", {"dynamic_batching": DYNAMIC}),
    "other_scheduler": (FULL + SEQUENCE, {"sequence_batching": None, "dynamic_batching": DYNAMIC}),
    "no_scheduler": (FULL + SEQUENCE, {"sequence_batching": None}),
    "decoupled": (FULL, {"model_transaction_policy": {"decoupled": True}}),
    "coupled": (FULL + "model_transaction_policy { decoupled: true }", {"model_transaction_policy": None}),
    "other_tensor": (FULL, {"input": [{"name": "OTHER", **TENSOR}]}),
    "second_tensor": (FULL, {"input": [{"name": "IN", **TENSOR}, {"name": "OTHER", **TENSOR, "optional": True}]}),
    "other_name": (FULL, {"name": "somebody"}),
    "other_backend": (FULL, {"backend": "somebody"}),
    "instances": (FULL, {"instance_group": [{"name": "x", "count": 3, "kind": "KIND_CPU"}]}),
    "versions": (FULL, {"version_policy": {"all": {}}}),
    "cache": (FULL, {"response_cache": {"enable": True}}),
    "parameters": (FULL, {"parameters": {"said": {"string_value": "so"}}}),
    "file": (FULL, {"default_model_filename": "said"}),
    "impossible_batch": (FULL, {"max_batch_size": -1}),
    "impossible_dims": (FULL, {"input": [{"name": "IN", "data_type": "TYPE_FP32", "dims": [0]}]}),
    "impossible_preference": (FULL, {"dynamic_batching": {"preferred_batch_size": [99]}}),
    "unknown_field": (FULL, {"dynamic_batchin": {}}),
    "no_configuration": (FULL, []),
}
"""A configuration, and what the backend sets of it: None takes a field away."""


def text_of(name: str) -> str:
    text, said = SAYINGS[name]
    told = json.loads(to_json(complete(parse_config(text), name=name)))
    if isinstance(said, dict):
        merged = {**told, **said}
        said = {key: value for key, value in merged.items() if value is not None}
    return f'{text} parameters {{ key: "complete" value {{ string_value: {json.dumps(json.dumps(said))} }} }}'


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_repository(tmp_path_factory.mktemp("sayings"), {name: text_of(name) for name in SAYINGS})


class Both:
    """The two servers; the real one is started again when it is gone."""

    def __init__(self, repository: Path, backends: Path, args: list[str], **options: Any) -> None:
        self._peer = lambda: RealTriton(repository, backends, args=["--model-control-mode=explicit", *args])
        self.real = self._peer().__enter__()
        self.own = wb.Server(repository, name="sayings", backends=[backends], **options)

    def load(self, name: str) -> tuple[int, int]:
        """Status of a load there and here."""
        try:
            return load_both(self.real, self.own, name)
        except OSError:
            self.real.close()
            self.real = self._peer().__enter__()
            pytest.skip(f"the real server does not survive loading {name}")

    def close(self) -> None:
        self.real.close()
        self.own.close()


@pytest.fixture(scope="module")
def both(real_wheel: Path, repository: Path, test_backends: Path) -> Iterator[Both]:
    both = Both(repository, test_backends, [])
    yield both
    both.close()


@pytest.fixture(scope="module")
def strict(real_wheel: Path, repository: Path, test_backends: Path) -> Iterator[Both]:
    both = Both(repository, test_backends, ["--disable-auto-complete-config"], auto_complete_config=False)
    yield both
    both.close()


def comparable(value: Any) -> Any:
    """Without what this release of the original does not have; it writes some numbers as strings."""
    if isinstance(value, dict):
        return {name: comparable(element) for name, element in value.items() if name != "max_inflight_requests"}
    if isinstance(value, list):
        return [comparable(element) for element in value]
    return int(value) if isinstance(value, str) and value.isdigit() else value


def assert_alike(both: Both, name: str) -> None:
    there, here = both.load(name)
    assert here == there
    if there == 200:
        config = json.loads(both.own.describe("model_config", model=name))
        assert comparable(config) == comparable(ask(both.real, f"/v2/models/{name}/config")[1])


@pytest.mark.parametrize("name", SAYINGS)
def test_what_a_backend_sets_is_taken_over_alike(both: Both, name: str) -> None:
    assert_alike(both, name)


@pytest.mark.parametrize("name", ["all", "nothing", "smaller_batch", "unknown_field"])
def test_nothing_is_completed_where_that_is_asked_for(strict: Both, name: str) -> None:
    assert_alike(strict, name)
