# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A view below a cell of a notebook: what it drew, where it is, a click on one of its blocks."""

from __future__ import annotations

_VIEW = (
    "Array.from(document.querySelectorAll('.jp-Notebook .jp-Cell'))[{cell}].querySelector('.workbench-dashboard{more}')"
)


def drawn(notebook, cell, condition="true", *, more="", timeout_s=30):
    """What the view of a cell drew, once `condition`, JavaScript over `d`, holds of it."""
    view = _VIEW.format(cell=cell, more=more)
    script = f"() => {{ const d = {view}?.workbench?.drawn(); return d && ({condition}) && d }}"
    return notebook.page.wait_for_function(script, timeout=timeout_s * 1_000).json_value()


def within(notebook, cell):
    return notebook.page.locator(".jp-Notebook .jp-Cell").nth(cell)


def click_block(notebook, canvas, block):
    """Clicks the middle of a block that was drawn on a canvas."""
    box = canvas.bounding_box()
    notebook.page.mouse.click(box["x"] + block["x"] + block["w"] / 2, box["y"] + block["y"] + block["h"] / 2)
