# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The report of a sweep: one HTML file that needs nothing else, or a notebook."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError
from workbench.export import tuned_config_text, why_it_won, why_others_lost
from workbench.sweep import Study
from workbench.views.still import Still
from workbench.views.sweep import front, heat_map
from workbench.views.sweep_curves import batches_before_and_after, latency_against_load
from workbench.views.sweep_sensitivity import has_neighbours, predicted_map, searched, sensitivity


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Args:
        title: its heading.
        lines: sentences, each an item of a list.
        picture: below them.
        html: a table or a text, already as HTML.
    """

    title: str
    lines: Sequence[str] = ()
    picture: Still | None = None
    html: str = ""


def sections(study: Study) -> Iterator[Section]:
    """What the report says, from the answer to the details."""
    yield Section("Why this configuration", tuple(why_it_won(study)), latency_against_load(study))
    yield Section("Why not the others", tuple(why_others_lost(study)), front(study))
    if has_neighbours(study):
        yield Section("How much each value matters", picture=sensitivity(study))
    axes = _map_axes(study)
    if axes and study.forecasts:
        yield Section("The space, predicted and measured", picture=predicted_map(study, x=axes[0], y=axes[1]))
    elif axes:
        yield Section("The space, measured", picture=heat_map(study, x=axes[0], y=axes[1]))
    yield Section("Batches before and after", picture=batches_before_and_after(study))
    yield Section("Every trial", html=study._repr_html_())
    yield Section("The configuration", html=f"<pre>{escape(tuned_config_text(study.best, study=study))}</pre>")
    yield Section("How it was measured", _HOW)


def report(study: Study, path: str | Path) -> Path:
    """Writes why a configuration won and the others lost, with pictures.

    Args:
        study: what a sweep found.
        path: the file; its suffix says the format, `.html` (self-contained) or `.ipynb`.

    Raises:
        InvalidArgumentError: another suffix.
        MissingExtraError: matplotlib is not installed.
    """
    path = Path(path)
    if path.suffix not in _WRITERS:
        raise InvalidArgumentError(f"a report is written as {' or '.join(_WRITERS)}, not {path.suffix or path.name!r}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_WRITERS[path.suffix](study), encoding="utf-8")
    return path


def _html(study: Study) -> str:
    parts = "".join(map(_section_html, sections(study)))
    title = f"{escape(study.model)}: {escape(study.objective)}"
    style = "body{font:15px system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}td,th{padding:2px 8px}"
    head = f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style>'
    return f"{head}<h1>{title}</h1><p>{escape(str(study.workload))}; {study.seconds:.0f} s in all</p>{parts}</html>\n"


def _section_html(section: Section) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in section.lines)
    picture = ""
    if section.picture is not None:
        data = base64.b64encode(_svg(section.picture).encode()).decode()
        picture = f'<img alt="{escape(section.title)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
    return f"<h2>{escape(section.title)}</h2>{f'<ul>{items}</ul>' if items else ''}{section.html}{picture}"


def _notebook(study: Study) -> str:
    title = f"# {study.model}: {study.objective}\n\n{study.workload}"
    cells = [_markdown(title)]
    for section in sections(study):
        items = "\n".join(f"- {line}" for line in section.lines)
        cells.append(_markdown(f"## {section.title}\n\n{items}{section.html}", section.picture))
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n"


def _markdown(text: str, picture: Still | None = None) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": text}
    if picture is not None:
        cell["attachments"] = {"picture.png": {"image/png": base64.b64encode(picture._repr_png_()).decode()}}
        cell["source"] += "\n\n![picture](attachment:picture.png)"
    return cell


def _svg(picture: Still) -> str:
    buffer = io.StringIO()
    picture.figure.savefig(buffer, format="svg")
    return buffer.getvalue()


def _map_axes(study: Study) -> tuple[str, str] | None:
    """The two fields of the map: delay and largest batch where they were searched."""
    preferred = ("max_queue_delay_microseconds", "max_batch_size", "count", "preferred_batch_size")
    axes = [name for name in preferred if name in searched(study)]
    return (axes[0], axes[1]) if len(axes) > 1 else None


_HOW: Final = (
    "Latency runs from the intended send time of a seeded schedule; the warm-up is cut by MSER-5.",
    "Intervals are 95 %: order statistics, corrected for dependence of neighbours.",
    "Dashed lines and pale marks are predictions; filled marks were measured; hollow ones failed a check.",
    "Rounds of the race alternate their direction, and each has arrivals of its own.",
)
_WRITERS: Final[Mapping[str, Callable[[Study], str]]] = {".html": _html, ".ipynb": _notebook}
