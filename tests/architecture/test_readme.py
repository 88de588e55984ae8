# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the pages tell a reader to type, and where they send him, exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_on_the_pages_exist(page: str, root: Path) -> None:
    targets = set(re.findall(r"^([\w.-]+):", (root / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z][\w-]*)(?=[`\s)])", _code(root / page)))
    assert named <= targets


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page: str, root: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", (root / page).read_text())
    assert not [link for link in links if not (root / link).exists()]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_paths_on_the_map_exist(page: str, root: Path) -> None:
    named = re.findall(r"`((?:docs|native|notebooks|tests|tools|workbench)/[^`\s]*)`", (root / page).read_text())
    assert not [path for path in named if not list(root.glob(path.rstrip("/")))]


def test_the_map_stays_readable(root: Path) -> None:
    assert len((root / "ARCHITECTURE.md").read_text().splitlines()) <= 200


def test_the_readme_names_both_set_up_commands(root: Path) -> None:
    readme = (root / "README.md").read_text()
    assert "make demo" in readme
    assert "make test" in readme


@pytest.mark.slow
def test_the_first_use_runs_as_printed(root: Path, native_path: Path) -> None:
    assert native_path.exists()
    (code,) = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    result = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "[[2. 2. 2. 2.]]" in result.stdout


def _code(page: Path) -> str:
    """Fenced blocks and inline code of a page, one after the other."""
    text = page.read_text()
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))
