# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.unit.build.cells import cell
from workbench.build import BuildCache, build_backend
from workbench.build.cache import CachedObject
from workbench.errors import BuildError


def keep(cache: BuildCache, key: str, *, byte_size: int = 100, headers: tuple[Path, ...] = ()) -> CachedObject:
    with cache.staging() as folder:
        (folder / "libtriton_x").write_bytes(b"x" * byte_size)
        (folder / "cell.d").write_text(f"cell.o: x.cc {' '.join(map(str, headers))}\n")
        return cache.store(key, folder, file_stem="libtriton_x", record={"warnings": []})


def test_kept_object_is_found_by_its_key(cache: BuildCache) -> None:
    kept = keep(cache, "a" * 64)
    assert cache.find("a" * 64) == kept
    assert cache.find("b" * 64) is None


def test_object_outlives_the_process_that_built_it(cache: BuildCache) -> None:
    kept = keep(cache, "a" * 64)
    assert BuildCache(cache.folder).find("a" * 64) == kept


def test_changed_header_makes_it_stale_and_the_old_content_fresh_again(cache: BuildCache, tmp_path: Path) -> None:
    header = tmp_path / "h.h"
    header.write_text("one")
    keep(cache, "a" * 64, headers=(header,))
    header.write_text("two")
    assert cache.find("a" * 64) is None
    header.write_text("one")
    assert cache.find("a" * 64) is not None


def test_vanished_header_makes_it_stale(cache: BuildCache, tmp_path: Path) -> None:
    header = tmp_path / "h.h"
    header.write_text("one")
    keep(cache, "a" * 64, headers=(header,))
    header.unlink()
    assert cache.find("a" * 64) is None


def test_file_names_bear_the_digest(cache: BuildCache) -> None:
    first, second = keep(cache, "a" * 64), keep(cache, "b" * 64)
    assert first.path != second.path
    assert first.path.name == f"libtriton_x.{first.digest[:12]}.so"


def test_least_recently_used_object_is_evicted(cache_folder: Path) -> None:
    for age, key in enumerate("abc"):
        kept = keep(BuildCache(cache_folder, in_use=set()), key * 64, byte_size=1000)
        os.utime(kept.path.parent / "build.json", (age, age))
    another_process = BuildCache(cache_folder, limit_byte_size=3000, in_use=set())
    assert another_process.find("a" * 64) is not None  # used now, so the oldest no more
    keep(another_process, "d" * 64, byte_size=1000)
    found = [key for key in "abcd" if BuildCache(cache_folder).find(key * 64) is not None]
    assert found == ["a", "d"]


def test_object_in_use_is_never_evicted(cache_folder: Path) -> None:
    kept = [keep(BuildCache(cache_folder, limit_byte_size=1), key * 64) for key in "abc"]
    assert all(entry.path.exists() for entry in kept)


def test_torn_record_counts_as_absent(cache: BuildCache) -> None:
    kept = keep(cache, "a" * 64)
    (kept.path.parent / "build.json").write_text('{"warnings": [')
    assert cache.find("a" * 64) is None


def test_nothing_is_left_of_a_failed_build(cache: BuildCache) -> None:
    with pytest.raises(RuntimeError), cache.staging():
        raise RuntimeError
    assert list((cache.folder / "staging").iterdir()) == []


def test_full_disk_is_told_with_the_way_out(cache: BuildCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)
    with pytest.raises(BuildError, match=r"no space left on the disk of .*; free some, or set XDG_CACHE_HOME"):
        keep(cache, "a" * 64)


def test_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises((BuildError, NotADirectoryError)):
        keep(BuildCache(tmp_path / "file"), "a" * 64)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "tiny"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("mounting a small disk needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.usefixtures("core")
def test_disk_that_is_too_small_for_the_object_is_told(tiny_disk: Path) -> None:
    big = cell("  return table[0] ? nullptr : nullptr;", before="extern const char table[999999] = {1};")
    with pytest.raises(BuildError, match="no space left on the disk of"):
        build_backend("big", big, cache=BuildCache(tiny_disk))
