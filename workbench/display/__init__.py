# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How long work tells of itself, and how results look where only text can be shown."""

from workbench.display.plain import plain_json
from workbench.display.progress import Report, reporting, silent
from workbench.display.table import Table
from workbench.display.text import ShownAsText

__all__ = ["Report", "ShownAsText", "Table", "plain_json", "reporting", "silent"]
