# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The dashboard on paper: the same facts in the same colours, by matplotlib. For saved notebooks, SVG and PNG files."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import MissingExtraError
from workbench.views.paper import head, strips, tiles
from workbench.views.paper_lanes import lanes
from workbench.views.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH_IN: Final = 12.0
_LOOK: Final[Any] = {"font.size": 8.5, "font.family": "sans-serif", "svg.fonttype": "none", "hatch.linewidth": 1.2}


def draw(view: View) -> Figure:
    """The picture of a view, as a figure that belongs to no window.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as exc:
        raise MissingExtraError("a picture", extra="lab") from exc
    lane_count, pool_count = len(view.facts.instances), len(view.used_pools)
    lane_count += bool(view.facts.steps)  # a row of the ensemble's own requests
    heights = [0.5, 1.1, 1.2, 0.35, *[0.4] * pool_count, *[0.55] * lane_count]
    with rc_context(_LOOK):
        figure = Figure(figsize=(_WIDTH_IN, sum(heights) * 1.25), facecolor="white")
        grid = figure.add_gridspec(
            len(heights), 1, height_ratios=heights, left=0.1, right=0.91, top=0.99, bottom=0.05, hspace=0.35
        )
        head(figure, grid[0], view)
        tiles(figure, grid[1], view)
        strips(figure, [grid[i] for i in range(2, 4 + pool_count)], view)
        lanes(figure, [grid[i] for i in range(4 + pool_count, len(heights))], view)
    return figure


def save(view: View, path: str | Path) -> Path:
    """Writes the picture; the suffix says the format (".svg", ".png", ".pdf").

    Returns:
        the path that was written.
    """
    target = Path(path)
    draw(view).savefig(target, dpi=150)
    return target


def png_of(view: View) -> dict[str, str]:
    """The picture as part of a MIME bundle; empty without matplotlib, since the widget beside it needs none."""
    try:
        figure = draw(view)
    except MissingExtraError:
        return {}
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    return {"image/png": base64.b64encode(buffer.getvalue()).decode()}
