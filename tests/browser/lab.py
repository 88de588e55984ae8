# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A JupyterLab of its own and a headless Chromium, as users have them: for tests and benchmarks."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
PICTURES = Path(__file__).parents[2] / "out" / "browser"
CHROMIUM_OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

EXTENSION = Path(__file__).parents[2] / "workbench" / "magics" / "labextension"

DRAWN = "() => document.querySelector('.workbench-dashboard')?.workbench?.drawn()"

# JupyterLab must look the same on every machine: no news, no workspace of an earlier run, every cell in the page.
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}
LAB_OPTIONS = [
    "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=", "--ServerApp.password=",
    "--LabApp.news_url=None", "--LabApp.expose_app_in_browser=True",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
]  # fmt: skip


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab and the folder that it shows."""

    url: str
    root: Path

    def write(self, name: str, *cells: str) -> None:
        """A notebook of code cells."""
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        code = [
            {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
            for i, text in enumerate(cells)
        ]
        text = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": code}
        (self.root / name).write_text(json.dumps(text))


@contextlib.contextmanager
def running_lab(home: Path) -> Iterator[Lab]:
    """A server of notebooks whose files all lie in `home`."""
    root = home / "notebooks"
    settings = home / "config" / "labconfig"
    root.mkdir(parents=True)
    settings.mkdir(parents=True)
    (settings / "default_setting_overrides.json").write_text(json.dumps(OVERRIDES))
    folders = {
        "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython", "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }  # fmt: skip
    environment = os.environ | {name: str(home / folder) for name, folder in folders.items()}
    shutil.copytree(EXTENSION, home / "data" / "labextensions" / "workbench-cells")
    log = home / "lab.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *LAB_OPTIONS, f"--ServerApp.root_dir={root}"],
            env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        yield Lab(wait_for_url(process, log), root)
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


def wait_for_url(process, log):
    """The address that the server chose, once it answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = re.search(r"http://127\.0\.0\.1:(\d+)", log.read_text())
        if found:
            url = f"http://127.0.0.1:{found[1]}"
            # The log names the port before it is open.
            with contextlib.suppress(urllib.error.URLError), urllib.request.urlopen(f"{url}/api", timeout=30):
                return url
        if process.poll() is not None:
            break
        time.sleep(0.1)
    message = f"JupyterLab did not start:\n{log.read_text()}"
    raise RuntimeError(message)


class Notebook:
    """A notebook in a page: what a user sees and does."""

    def __init__(self, page, lab, name):
        self.page = page
        self.errors = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{lab.url}/lab/tree/{name}?reset")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
        self.wait_idle()

    def wait_idle(self):
        status = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status"
        self.page.wait_for_function(f"() => {status} === 'idle'", timeout=60_000)

    def shut_down(self):
        """Ends the kernel."""
        self.page.evaluate("""() => [...window.jupyterapp.shell.widgets('main')]
            .forEach((widget) => widget.sessionContext?.session?.kernel?.shutdown())""")

    def command(self, name):
        self.page.evaluate(f"() => {{ window.jupyterapp.commands.execute('{name}') }}")

    def run(self, cell):
        """Starts a cell, without waiting for its end."""
        self.page.evaluate(f"""() => {{
            window.jupyterapp.shell.currentWidget.content.activeCellIndex = {cell};
            window.jupyterapp.commands.execute('notebook:run-cell');
        }}""")

    def wait_run(self, cell):
        count = f"Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)[{cell}].executionCount"
        self.page.wait_for_function(f"() => {count}", timeout=60_000)
        self.wait_idle()

    def drawn(self):
        """What the dashboard drew last, as values."""
        return self.page.evaluate(DRAWN)

    def wait_drawn(self, condition, timeout_s=30):
        """Waits until `condition`, JavaScript over `d`, holds of what is drawn."""
        self.page.wait_for_function(
            f"() => {{ const d = ({DRAWN})(); return d && ({condition}) }}",
            timeout=timeout_s * 1_000,
        )
        return self.drawn()

    def draws(self):
        return self.page.evaluate("() => document.querySelector('.workbench-dashboard').workbench.view.draws")

    def picture(self, name):
        """Keeps a screenshot for the eyes of whoever reads the test's report."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")

    def move_slider(self, number, key, times):
        handle = self.page.locator(".workbench-controls .noUi-handle").nth(number)
        handle.focus()
        for _ in range(times):
            handle.press(key)
