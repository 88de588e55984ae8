# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError

from workbench.errors import ConfigError, NotFoundError
from workbench.magics.arguments import head_and_inputs
from workbench.server import ModelIndex, Reply, Server, current
from workbench.testing import ECHO_CONFIG, FakeEngine

CELL = ECHO_CONFIG.replace("{name}", "cell")


def test_serve_starts_a_server(server: Server) -> None:
    assert current() is server
    assert repr(server) == "<Server default ready, 0 models, 0 in flight>"


def test_serve_without_a_folder_gives_the_server_that_runs(shell: Any, server: Server) -> None:
    assert shell.run_line_magic("serve", "") is server


def test_serve_without_a_server_says_how_to_start_one(shell: Any) -> None:
    with pytest.raises(NotFoundError, match="%serve FOLDER"):
        shell.run_line_magic("serve", "")


def test_serve_again_replaces_the_server(shell: Any, server: Server, repository: Path) -> None:
    assert shell.run_line_magic("serve", f"{repository}") is current()
    assert current() is not server


def test_serve_makes_a_folder_when_asked(shell: Any, engine: FakeEngine, tmp_path: Path) -> None:
    shell.run_line_magic("serve", f"{tmp_path / 'new'} --create")
    assert (tmp_path / "new").is_dir()


def test_models_shows_the_index(shell: Any, server: Server) -> None:
    server.load("m")
    index = shell.run_line_magic("models", "--ready")
    assert isinstance(index, ModelIndex)
    assert [(entry.name, entry.state) for entry in index] == [("m", "READY")]


def test_infer_takes_variables_json_and_expressions(shell: Any, server: Server) -> None:
    server.load("m")
    shell.user_ns.update(x=np.ones((2, 4), np.float32), np=np)
    for value, shape in {"x": (2, 4), "[1, 2, 3, 4]": (1, 4), "np.zeros((3, 4), np.float32)": (3, 4)}.items():
        reply = shell.run_line_magic("infer", f"m INPUT0={value}")
        assert isinstance(reply, Reply)
        assert reply["OUTPUT0"].shape == shape


def test_infer_may_name_version_and_id(shell: Any, server: Server) -> None:
    server.load("m")
    assert shell.run_line_magic("infer", "m:1 --id r7 INPUT0=[1,2,3,4]").request_id == "r7"


def test_stats_shows_one_model_or_all(shell: Any, server: Server) -> None:
    server.load("m").infer({"INPUT0": [1, 2, 3, 4]})
    assert shell.run_line_magic("stats", "m").inference_count == 1
    assert [one.name for one in shell.run_line_magic("stats", "")] == ["m"]


def test_model_cell_makes_a_model_and_writes_no_file(shell: Any, server: Server, repository: Path) -> None:
    model = shell.run_cell_magic("model", "cell", CELL)
    assert model.infer({"INPUT0": [1, 2, 3, 4]})["OUTPUT0"].shape == (1, 4)
    assert not (repository / "cell").exists()


def test_model_cell_writes_its_file_when_asked(shell: Any, server: Server, repository: Path) -> None:
    shell.run_cell_magic("model", "cell --write", CELL)
    assert (repository / "cell" / "config.pbtxt").read_text() == CELL
    assert (repository / "cell" / "1").is_dir()


def test_model_cell_run_again_reloads(shell: Any, server: Server, engine: FakeEngine) -> None:
    shell.run_cell_magic("model", "cell", CELL)
    shell.run_cell_magic("model", "cell", CELL)
    assert len(engine.models) == 1
    shell.run_cell_magic("model", "cell", CELL.replace("max_batch_size: 8", "max_batch_size: 4"))
    assert server.model("cell").spec.max_batch_size == 4


def test_error_in_a_model_cell_points_at_the_line_of_the_cell(shell: Any, server: Server) -> None:
    with pytest.raises(ConfigError) as refusal:
        shell.run_cell_magic("model", "cell", 'name: "cell"\nbackend: "echo"\nmax_batch_size: many\n')
    # Line 1 is the magic's own.
    assert (refusal.value.line, refusal.value.column) == (4, 17)


@pytest.mark.parametrize(
    ("line", "head", "inputs"),
    [
        ("m", "m", {}),
        ("m A=1 B=two", "m", {"A": 1, "B": "two"}),
        ("m --id x A='a b'", "m --id x", {"A": "a b"}),
        ('m --id=x A="a=b"', "m --id=x", {"A": "a=b"}),
        ("m A=[[1, 2], [3, 4]] B={'a': 1}", "m", {"A": [[1, 2], [3, 4]], "B": {"a": 1}}),
        ("m A=a+1", "m", {"A": 8}),
        ("m A=1 --id x", "m --id x", {"A": 1}),
        ("m A=true B=https://x", "m", {"A": True, "B": "https://x"}),
    ],
)
def test_inputs_are_taken_off_a_line(line: str, head: str, inputs: dict[str, Any]) -> None:
    assert head_and_inputs(line, {"a": 7}) == (head, inputs)


def test_word_that_is_no_input_is_refused(shell: Any, server: Server) -> None:
    server.load("m")
    with pytest.raises(UsageError, match="oops"):
        shell.run_line_magic("infer", "m INPUT0=[1,2,3,4] oops")


def test_error_of_a_users_expression_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        head_and_inputs("m A=1/0", {})


def completions(shell: Any, line: str) -> list[str]:
    with provisionalcompleter():
        return [completion.text for completion in shell.Completer.completions(line, len(line))]


@pytest.mark.parametrize(
    "line", ["%infer ", "%infer m", "%stats ", "%%model ", "%infer --id x m", "%simulate ", "%%model_py "]
)
def test_names_of_models_are_completed(shell: Any, server: Server, line: str) -> None:
    assert "m" in completions(shell, line)


def test_names_are_offered_nowhere_else(shell: Any, server: Server) -> None:
    for line in ("%infer m A", "infer ", "x = "):
        assert "m" not in completions(shell, line)


@pytest.mark.parametrize(
    ("line", "option"),
    [("%watch m --obj", "--objective"), ("%drive m --", "--rate"), ("%%backend x --san", "--sanitize")],
)
def test_options_of_magics_are_completed(shell: Any, line: str, option: str) -> None:
    assert option in completions(shell, line)


@pytest.mark.parametrize("line", ["%nothing --o", "watch --obj", "%watch --objective x"])
def test_what_is_no_option_is_left_alone(shell: Any, line: str) -> None:
    assert "--objective" not in completions(shell, line)
