# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The memory view on paper, by matplotlib: what a saved notebook keeps."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import MissingExtraError
from workbench.views.colours import GREY, VERMILION, owner_colour
from workbench.views.memory_follower import MemoryLook
from workbench.views.paper import FAINT, INK
from workbench.views.units import byte_size, duration

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_memory(look: MemoryLook) -> Figure:
    """The picture of a look, as a figure that belongs to no window.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as exc:
        raise MissingExtraError("a picture", extra="lab") from exc
    shown = [n for n, pool in enumerate(look.pools) if pool.peak_byte_size or pool.fallbacks or pool.failures]
    rows = max(len(shown), 1)
    figure = Figure(figsize=(12, 0.6 + 1.3 * rows), facecolor="white")
    grid = figure.add_gridspec(
        rows, 2, left=0.1, right=0.98, top=1 - 0.45 / (0.6 + 1.3 * rows), hspace=0.5, wspace=0.12
    )
    figure.text(0.01, 0.99, look.sentence, va="top", fontsize=10, color=INK)
    for row, number in enumerate(shown):
        _over_time(figure.add_subplot(grid[row, 0]), look, number)
        _blocks(figure.add_subplot(grid[row, 1]), look, number)
    return figure


def memory_png(look: MemoryLook) -> dict[str, str]:
    """The picture as part of a MIME bundle; empty without matplotlib."""
    try:
        figure = draw_memory(look)
    except MissingExtraError:
        return {}
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    return {"image/png": base64.b64encode(buffer.getvalue()).decode()}


def _bare(axes: Axes) -> None:
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.set_yticks([])
    axes.tick_params(colors=FAINT, labelsize=7, length=2)


def _over_time(axes: Axes, look: MemoryLook, number: int) -> None:
    _bare(axes)
    pool, bins = look.pools[number], look.bins[look.bins["pool"] == number]
    times = (bins["index"] * look.bin_ns - look.now_ns) / 1e9
    axes.fill_between(times, bins["live"], color=INK, alpha=0.3, linewidth=0)
    axes.plot(times, bins["reserved"], color=FAINT, linewidth=0.8)
    limit = f" of {byte_size(pool.limit_byte_size)}" if pool.limit_byte_size else ""
    title = f"{pool.name}   {byte_size(pool.live_byte_size)}{limit}, most ever {byte_size(pool.peak_byte_size)}"
    axes.set_title(title, loc="left", fontsize=8.5, color=INK)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"−{duration(-value)}" if value < 0 else "now")
    told = [mark for mark in look.marks if mark.pool == number]
    when = [(mark.when_ns - look.now_ns) / 1e9 for mark in told]
    axes.plot(when, [axes.get_ylim()[1]] * len(when), "v", color=VERMILION, clip_on=False)


def _blocks(axes: Axes, look: MemoryLook, number: int) -> None:
    _bare(axes)
    axes.set_xticks([])
    blocks: Any = look.blocks.blocks[look.blocks.blocks["pool"] == number]
    largest = max((size for (pool, _), size in look.blocks.slab_sizes.items() if pool == number), default=1)
    used = blocks[blocks["is_free"] == 0]
    for (pool, slab), size in look.blocks.slab_sizes.items():
        if pool == number:
            axes.barh(slab, size / largest, height=0.8, color=GREY, alpha=0.18)
    colours = [owner_colour(int(model)) for model in used["model"]]
    axes.barh(used["slab"], used["byte_size"] / largest, left=used["offset"] / largest, height=0.8, color=colours)
    axes.invert_yaxis()
    models = [int(model) for model in np.unique(used["model"])]
    names = [look.models[model][0] or "no model" for model in models if model < len(look.models)]
    axes.set_title("held by " + (", ".join(names) or "nobody"), loc="left", fontsize=8.5, color=FAINT)
