# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the quick-start notebook headless, as JupyterLab would, and says what came of it.

Writes the executed notebook, a page of it, and its pictures to build/demo/; prints the tuned config.pbtxt and where
the exported repository is.
"""

from __future__ import annotations

import base64
import os
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "notebooks" / "01_quickstart.ipynb"
OUTPUT = ROOT / "build" / "demo"
CELL_LIMIT_S = 300
_HEADING = re.compile(r"^#+ (.+)", re.MULTILINE)


class Announcer:
    """Prints each heading of the notebook as the run comes to it."""

    def __init__(self) -> None:
        self._begin = time.monotonic()

    def on_cell_start(self, cell: nbformat.NotebookNode, cell_index: int) -> None:
        """Called by the client before each cell; markdown cells come by, too."""
        heading = _HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        if heading:
            print(f"  {time.monotonic() - self._begin:5.1f} s  [{cell_index}] {heading[1]}", flush=True)


def run(notebook: nbformat.NotebookNode) -> None:
    """Executes `notebook` in place, in the folder where a reader would open it; raises CellExecutionError."""
    announcer = Announcer()
    client = NotebookClient(
        notebook,
        timeout=CELL_LIMIT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(NOTEBOOK.parent)}},
        on_cell_start=announcer.on_cell_start,
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute()


def save(notebook: nbformat.NotebookNode) -> list[Path]:
    """Writes notebook, page and pictures; returns their paths."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for old in OUTPUT.glob("picture-*.png"):
        old.unlink()
    written = [OUTPUT / NOTEBOOK.name, OUTPUT / NOTEBOOK.with_suffix(".html").name]
    nbformat.write(notebook, written[0])
    written[1].write_text(HTMLExporter().from_notebook_node(notebook)[0])
    for number, picture in enumerate(pictures(notebook), start=1):
        written.append(OUTPUT / f"picture-{number}.png")
        written[-1].write_bytes(picture)
    return written


def pictures(notebook: nbformat.NotebookNode) -> list[bytes]:
    """Every picture among the outputs, in the order of the cells."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    encoded = (output.get("data", {}).get("image/png") for output in outputs)
    return [base64.b64decode(text) for text in encoded if text]


def exported_since(begin: float) -> list[Path]:
    """Configurations that were written below an `out` folder after `begin`, newest first."""
    found = [path for folder in (ROOT, NOTEBOOK.parent) for path in (folder / "out").glob("**/config.pbtxt")]
    times = {path.resolve(): path.stat().st_mtime for path in found}
    return sorted((path for path, time_s in times.items() if time_s >= begin), key=lambda path: -times[path])


def main() -> None:
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    begin = time.time()
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    print(f"running {NOTEBOOK.relative_to(ROOT)}", flush=True)
    try:
        run(notebook)
    except CellExecutionError as error:
        save(notebook)
        sys.exit(f"{error}\nthe notebook as far as it came: {OUTPUT / NOTEBOOK.name}")
    written = save(notebook)
    print(f"done in {time.time() - begin:.0f} s\n")
    for config in exported_since(begin)[:1]:
        print(f"# {config}\n{config.read_text()}")
        print(f"exported repository: {config.parent.parent}")
    print("pictures and the executed notebook:", *written, sep="\n  ")


if __name__ == "__main__":
    main()
