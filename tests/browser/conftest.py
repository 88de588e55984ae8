# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Notebooks in a JupyterLab of the tests' own."""

from __future__ import annotations

import time

import pytest

from tests.browser.lab import CHROMIUM, CHROMIUM_OPTIONS, Notebook, running_lab

playwright = pytest.importorskip("playwright.sync_api")


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture(scope="module")
def chromium():
    if not CHROMIUM.exists():
        pytest.skip("needs chromium: apt-get install -y --no-install-recommends chromium fonts-dejavu-core")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def open_notebook(lab, chromium):
    """Opens a notebook made of cells; one at a time, in a page of its own that must not fail by itself."""
    opened = []
    errors = []

    def close():
        while opened:
            context, notebook = opened.pop()
            notebook.shut_down()
            errors.extend(notebook.errors)
            context.close()

    def opener(*cells, width=1300, height=1200, ratio=1):
        close()
        name = f"n{time.monotonic_ns()}.ipynb"
        lab.write(name, *cells)
        context = chromium.new_context(viewport={"width": width, "height": height}, device_scale_factor=ratio)
        opened.append((context, Notebook(context.new_page(), lab, name)))
        return opened[-1][1]

    yield opener
    close()
    assert errors == []
