# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from workbench.repository.dependency_graph import DependencyGraph


def test_users_come_innermost_first_whatever_the_order_of_the_loads() -> None:
    graph = DependencyGraph()
    graph.put("outer", ["inner", "a"])
    graph.put("inner", ["a", "b"])
    assert graph.users("a") == ("inner", "outer")
    assert graph.users("b") == ("inner", "outer")
    assert graph.users("inner") == ("outer",)
    assert graph.users("outer") == ()


def test_what_is_removed_uses_nothing() -> None:
    graph = DependencyGraph()
    graph.put("e", ["a"])
    graph.remove("e")
    graph.remove("never there")
    assert graph.users("a") == ()
    assert graph.models("e") == ()


def test_a_model_of_two_steps_is_named_once() -> None:
    graph = DependencyGraph()
    graph.put("e", ["a", "a"])
    assert graph.models("e") == ("a",)
    assert graph.users("a") == ("e",)
