# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from workbench.build import remember_cell
from workbench.server import Server
from workbench.server.rendering import html_table, link_to_cell


def test_an_object_that_a_cell_built_leads_to_its_cell(server: Server) -> None:
    server.load("m")
    assert "workbench-cell" not in server.index()._repr_html_()
    (entry,) = server.index()
    assert entry.library is not None
    remember_cell(entry.library, "a b")
    assert '<a href="#workbench-cell=a%20b"' in server.index()._repr_html_()
    assert "libtriton_echo.so" in str(server.index())


def test_what_is_no_link_is_escaped() -> None:
    html = html_table(("a",), [("<b>",), (link_to_cell("<i>", "7"),), (link_to_cell("<u>", ""),)])
    assert "<td>&lt;b&gt;</td>" in html
    assert 'cell=7" title="to the cell that built it">&lt;i&gt;</a>' in html
    assert "<td>&lt;u&gt;</td>" in html
