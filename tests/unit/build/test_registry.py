# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from workbench.build import Library
from workbench.build.registry import Registry


def library(path: str, name: str = "x") -> Library:
    return Library(name, Path(path), "0" * 64, "c++", "g++", 0.1, is_cached=False)


def test_newest_of_a_name_counts() -> None:
    registry = Registry()
    registry.publish(library("/1"))
    registry.publish(library("/2"))
    assert registry.built("x") == library("/2")
    assert registry.built("y") is None


def test_subscriber_hears_of_every_new_object_once() -> None:
    registry, heard = Registry(), []
    registry.subscribe(lambda new: heard.append(new.path))
    for path in ("/1", "/1", "/2", "/1"):
        registry.publish(library(path))
    assert heard == [Path("/1"), Path("/2"), Path("/1")]


def test_subscriber_that_left_hears_nothing() -> None:
    registry, heard = Registry(), []
    leave = registry.subscribe(lambda new: heard.append(new.path))
    leave()
    leave()
    registry.publish(library("/1"))
    assert heard == []


def test_failing_subscriber_does_not_keep_the_others_from_hearing() -> None:
    registry, heard = Registry(), []

    def fail(_: Library) -> None:
        raise RuntimeError("reload failed")

    registry.subscribe(fail)
    registry.subscribe(lambda new: heard.append(new.path))
    with pytest.raises(RuntimeError, match="reload failed"):
        registry.publish(library("/1"))
    assert heard == [Path("/1")]
