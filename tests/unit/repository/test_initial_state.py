# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Initial states that lie in files."""

from pathlib import Path

import pytest

from workbench.config import ModelSpec, complete, model_spec, parse_config
from workbench.errors import LoadError
from workbench.repository.initial_state import with_initial_states


def spec_of(folder: Path, data_file: str, data_type: str = "INT32") -> ModelSpec:
    text = f"""
    backend: "b" sequence_batching {{ state {{
      input_name: "I" output_name: "O" data_type: TYPE_{data_type} dims: [ -1 ]
      initial_state {{ name: "i" data_type: TYPE_{data_type} dims: [ 2 ] data_file: "{data_file}" }}
    }} }}"""
    return model_spec(complete(parse_config(text), name="m"), version=1, path=folder)


def initial_bytes(spec: ModelSpec) -> bytes:
    sequence = with_initial_states(spec).batching.sequence
    assert sequence is not None
    return sequence.states[0].initial_bytes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "initial_state").mkdir()
    (tmp_path / "secret").write_bytes(bytes(8))
    return tmp_path


def test_the_file_is_read_as_far_as_the_state_goes(folder: Path) -> None:
    (folder / "initial_state/f").write_bytes(bytes(range(12)))
    assert initial_bytes(spec_of(folder, "f")) == bytes(range(8))


def test_strings_are_all_there_is(folder: Path) -> None:
    content = b"\1\0\0\0a\2\0\0\0bc"
    (folder / "initial_state/f").write_bytes(content)
    assert initial_bytes(spec_of(folder, "f", "STRING")) == content


@pytest.mark.parametrize("content", [b"", b"\x64\0\0\0", b"\1\0\0\0a", b"\0\0\0\0\0\0\0"])
def test_strings_that_are_none_are_empty_ones(folder: Path, content: bytes) -> None:
    (folder / "initial_state/f").write_bytes(content)
    assert initial_bytes(spec_of(folder, "f", "STRING")) == bytes(8)


def test_a_file_that_is_too_short_is_refused(folder: Path) -> None:
    (folder / "initial_state/f").write_bytes(bytes(7))
    with pytest.raises(LoadError, match=r"begins with 8 bytes, and initial_state/f has 7"):
        with_initial_states(spec_of(folder, "f"))


def test_a_file_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(LoadError, match="No such file"):
        with_initial_states(spec_of(folder, "g"))


def test_a_file_elsewhere_is_refused(folder: Path) -> None:
    with pytest.raises(LoadError, match="leads out"):
        with_initial_states(spec_of(folder, "../secret"))
