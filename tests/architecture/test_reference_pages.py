# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The pages of magics and commands say what their parsers say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("IPython")


def test_pages_of_magics_and_commands_are_up_to_date(root: Path) -> None:
    command = [sys.executable, root / "tools/reference_pages.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
