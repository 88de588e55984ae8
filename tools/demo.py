# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the quick-start notebook headless, as JupyterLab would, and says what came of it.

Writes the executed notebook, a page of it, and its pictures to build/demo/; prints the tuned config.pbtxt and where
the exported repository is.

    python tools/demo.py [NOTEBOOK] [--output FOLDER]
"""

from __future__ import annotations

import argparse
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


def run(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Executes `notebook` in place, in the folder where a reader would open it; raises CellExecutionError."""
    announcer = Announcer()
    client = NotebookClient(
        notebook,
        timeout=CELL_LIMIT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        on_cell_start=announcer.on_cell_start,
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute()


def save(notebook: nbformat.NotebookNode, name: str, output: Path) -> list[Path]:
    """Writes notebook, page and pictures into the folder `output`; returns their paths."""
    output.mkdir(parents=True, exist_ok=True)
    for old in output.glob("picture-*.png"):
        old.unlink()
    written = [output / f"{name}.ipynb", output / f"{name}.html"]
    nbformat.write(notebook, written[0])
    written[1].write_text(HTMLExporter().from_notebook_node(notebook)[0])
    for number, picture in enumerate(pictures(notebook), start=1):
        written.append(output / f"picture-{number}.png")
        written[-1].write_bytes(picture)
    return written


def pictures(notebook: nbformat.NotebookNode) -> list[bytes]:
    """Every picture among the outputs, in the order of the cells."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    encoded = (output.get("data", {}).get("image/png") for output in outputs)
    return [base64.b64decode(text) for text in encoded if text]


def exported_since(begin: float, folder: Path) -> list[Path]:
    """Configurations that were written below an `out` folder in or beside `folder` after `begin`, newest first."""
    found = [path for folder in (folder.parent, folder) for path in (folder / "out").glob("**/config.pbtxt")]
    times = {path.resolve(): path.stat().st_mtime for path in found}
    return sorted((path for path, time_s in times.items() if time_s >= begin), key=lambda path: -times[path])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", nargs="?", type=Path, default=NOTEBOOK)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    begin, folder = time.time(), options.notebook.resolve().parent
    notebook = nbformat.read(options.notebook, as_version=4)
    print(f"running {options.notebook}", flush=True)
    try:
        run(notebook, folder)
    except CellExecutionError as error:
        as_far = save(notebook, options.notebook.stem, options.output)[0]
        sys.exit(f"{error}\nthe notebook as far as it came: {as_far}")
    written = save(notebook, options.notebook.stem, options.output)
    print(f"done in {time.time() - begin:.0f} s\n")
    for config in exported_since(begin, folder)[:1]:
        print(f"# {config}\n{config.read_text()}")
        print(f"exported repository: {config.parent.parent}")
    print("pictures and the executed notebook:", *written, sep="\n  ")


if __name__ == "__main__":
    main()
