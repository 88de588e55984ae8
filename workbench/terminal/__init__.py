# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Commands for the terminal: `python -m workbench <command>`."""

from workbench.terminal.main import main

__all__ = ["main"]
