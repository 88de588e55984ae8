# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Every picture of the documentation is shown somewhere, and made by the script beside it."""

from __future__ import annotations

import ast
import re

from tests.docs.pages import PAGES, ROOT

FOLDER = ROOT / "docs/pictures"
SUFFIXES = {".png", ".svg", ".jpg", ".gif", ".webp"}


def shown() -> set[str]:
    """Pictures that the pages and the README name, relative to the repository."""
    named: set[str] = set()
    for page, text in {**PAGES, "README.md": (ROOT / "README.md").read_text()}.items():
        for link in re.findall(r"!\[[^\]]*\]\(([^)#\s]+)", text):
            named.add(str(((ROOT / page).parent / link).resolve().relative_to(ROOT)))
    return named


def made() -> set[str]:
    """Pictures that the script says it makes."""
    tree = ast.parse((FOLDER / "make.py").read_text())
    (told,) = [node for node in tree.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "PICTURES"]
    assert told.value is not None
    return {f"docs/pictures/{name}" for name in ast.literal_eval(told.value)}


def test_every_picture_is_shown_and_made_by_the_script() -> None:
    there = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*") if path.suffix in SUFFIXES}
    assert shown() == made() == there
