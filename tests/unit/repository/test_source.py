# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import logging
from pathlib import Path

import pytest

from workbench.config import ModelConfig, parse_config
from workbench.errors import AlreadyExistsError, InvalidArgumentError, NotFoundError, UnavailableError
from workbench.repository.source import ModelFolder, Sources
from workbench.repository.versions import describe_policy, select_versions, version_of


def make_folders(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).mkdir(parents=True)
    return root


@pytest.mark.parametrize(
    ("folder", "version"),
    [("1", 1), ("12", 12), ("0", None), ("01", None), ("-1", None), ("1a", None), ("", None), ("²", None)],
)
def test_version_is_a_positive_integer_without_leading_zero(folder: str, version: int | None) -> None:
    assert version_of(folder) == version


def test_other_folders_are_ignored_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = make_folders(tmp_path / "m", "1", "03", "10", "warmup", "latest")
    with caplog.at_level(logging.WARNING):
        assert ModelFolder(folder).versions() == (1, 10)
    assert [name for name in ("'03'", "'latest'", "'warmup'") if name in caplog.text] == ["'03'", "'latest'"]


@pytest.mark.parametrize(
    ("policy", "served"),
    [
        ("", (3,)),
        ("version_policy { latest { num_versions: 2 } }", (2, 3)),
        ("version_policy { all { } }", (1, 2, 3)),
        ("version_policy { specific { versions: [ 3, 1, 7 ] } }", (1, 3)),
        ("version_policy { specific { versions: [ 7 ] } }", ()),
    ],
)
def test_version_policy_selects(policy: str, served: tuple[int, ...]) -> None:
    assert select_versions(parse_config(policy), [3, 1, 2]) == served


def test_policy_is_described_for_messages() -> None:
    assert describe_policy(ModelConfig()) == "the latest 1"
    assert (
        describe_policy(parse_config("version_policy { specific { versions: [ 7, 8 ] } }")) == "specific versions 7, 8"
    )


def test_unknown_model_is_not_found_and_the_message_lists_what_there_is(tmp_path: Path) -> None:
    make_folders(tmp_path, "a", "b", ".hidden")
    with pytest.raises(NotFoundError, match=r"no model 'c' .*there are a, b"):
        Sources.of(tmp_path).find("c")


@pytest.mark.parametrize("name", ["../a", "", ".", "..", "a/b", "/etc"])
def test_name_that_leads_out_of_the_repository_is_not_found(tmp_path: Path, name: str) -> None:
    make_folders(tmp_path / "r", "a/b")
    make_folders(tmp_path, "a")
    with pytest.raises(NotFoundError):
        Sources.of(tmp_path / "r").find(name)


def test_model_in_two_repositories_is_unavailable(tmp_path: Path) -> None:
    make_folders(tmp_path, "r/m", "s/m")
    with pytest.raises(UnavailableError, match="2 repositories"):
        Sources.of([tmp_path / "r", tmp_path / "s"]).find("m")


def test_repository_that_is_no_folder_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no model repository"):
        Sources.of(tmp_path / "missing")


def test_fingerprint_changes_with_any_file(tmp_path: Path) -> None:
    folder = ModelFolder(make_folders(tmp_path, "m/1") / "m")
    before = folder.fingerprint()
    (folder.path / "1" / "weights").write_text("1")
    middle = folder.fingerprint()
    (folder.path / "1" / "weights").write_text("12")
    assert len({before, middle, folder.fingerprint()}) == 3


def test_a_repository_is_added_with_names_for_its_folders(tmp_path: Path) -> None:
    more = make_folders(tmp_path / "more", "folder/1", "model/1")
    sources = Sources.of(make_folders(tmp_path / "first", "plain/1")).with_path(more, {"called": "folder"})
    assert sources.names() == ("called", "model", "plain")
    assert sources.find("called") == ModelFolder(more / "folder", "called")
    with pytest.raises(NotFoundError):
        sources.find("folder")


def test_a_name_that_was_given_comes_before_folders_of_that_name(tmp_path: Path) -> None:
    more = make_folders(tmp_path / "more", "folder/1", "model/1")
    first = Sources.of(make_folders(tmp_path / "first", "model/1"))
    assert first.with_path(more, {"model": "folder"}).find("model").path == more / "folder"
    with pytest.raises(UnavailableError, match="keep one"):
        first.with_path(more, {}).find("model")


def test_one_folder_may_have_two_names_and_a_name_one_folder(tmp_path: Path) -> None:
    more = make_folders(tmp_path / "more", "folder/1")
    sources = Sources.of(make_folders(tmp_path / "first", "m/1")).with_path(more, {"a": "folder", "b": "folder"})
    assert sources.names() == ("a", "b", "m")
    with pytest.raises(AlreadyExistsError):
        sources.with_path(more, {})
    with pytest.raises(AlreadyExistsError, match="a"):
        sources.with_path(make_folders(tmp_path / "third", "folder/1"), {"a": "folder"})


def test_a_repository_that_goes_takes_its_names_along(tmp_path: Path) -> None:
    first, more = make_folders(tmp_path / "first", "m/1"), make_folders(tmp_path / "more", "folder/1")
    sources = Sources.of(first).with_path(more, {"called": "folder"}).without_path(more)
    assert sources == Sources.of(first)
    for gone in (more, tmp_path / "nowhere"):
        with pytest.raises(InvalidArgumentError):
            sources.without_path(gone)


def test_a_repository_that_was_moved_is_named(tmp_path: Path) -> None:
    sources = Sources.of(make_folders(tmp_path / "first", "m/1"))
    (tmp_path / "first").rename(tmp_path / "second")
    with pytest.raises(UnavailableError, match="first can not be read: No such file"):
        sources.names()
