# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.errors import ConfigError
from workbench.repository.scratch import Scratch


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    scratch = Scratch()
    yield scratch
    scratch.close()


def test_files_lie_where_their_names_say(scratch: Scratch) -> None:
    folder = scratch.folder_of("m", {"1/weights": b"w", "labels.txt": b"l", "warmup/data": b"d", "1/./a/../b": b"b"})
    assert (folder.name, folder.versions()) == ("m", (1,))
    files = {str(path.relative_to(folder.path)) for path in folder.path.rglob("*") if path.is_file()}
    assert files == {"1/weights", "labels.txt", "warmup/data", "1/b"}


def test_same_files_lie_in_the_same_folder_and_others_in_another(scratch: Scratch) -> None:
    one = scratch.folder_of("m", {"1/a": b"x"})
    assert scratch.folder_of("m", {"1/a": b"x"}).fingerprint() == one.fingerprint()
    assert scratch.folder_of("m", {"1/a": b"x"}) == one
    assert scratch.folder_of("m", {"1/a": b"y"}) != one


@pytest.mark.parametrize("path", ["../a", "1/../../a", "..", "1/\0", "/tmp/a", "1/", "", "."])
def test_a_path_that_is_none_within_the_folder_is_refused(scratch: Scratch, path: str) -> None:
    with pytest.raises(ConfigError, match="name it <version>/<path>"):
        scratch.folder_of("m", {path: b"", "1/a": b""})


def test_a_file_is_no_folder_of_another(scratch: Scratch) -> None:
    with pytest.raises(ConfigError, match=r"'1/a' can not be a folder, too, as '1/a/b' needs"):
        scratch.folder_of("m", {"1/a": b"", "1/a/b": b""})
