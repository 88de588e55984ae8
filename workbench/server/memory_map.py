# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A picture of a pool: one bar for each slab, its blocks to scale. HTML alone, so that any notebook shows it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Final

from workbench.server.rendering import format_bytes

if TYPE_CHECKING:
    from workbench.server.memory import MemoryBlock

_MOST_SLABS: Final = 8
_MOST_BLOCKS: Final = 400
_LEAST_SHARE: Final = 0.001
_FREE: Final = "#8882"
_NOBODY: Final = "#888"
_COLOURS: Final = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")


def html_map(name: str, blocks: Sequence[MemoryBlock]) -> str:
    """The bars of a pool; what does not fit is told in words."""
    slabs = [list(group) for _, group in groupby(blocks, key=lambda block: block.slab)]
    models = sorted({block.model for block in blocks if block.model})
    colours = {model: _COLOURS[index % len(_COLOURS)] for index, model in enumerate(models)}
    shown = "".join(_bar(slab, colours) for slab in slabs[:_MOST_SLABS])
    rest = f"<div>and {len(slabs) - _MOST_SLABS} more slabs</div>" if len(slabs) > _MOST_SLABS else ""
    legend = " ".join(f'<span style="color:{colours[model]}">&#9632;</span> {escape(model)}' for model in models)
    return f"<div><b>{escape(name)}</b> {legend}{shown}{rest}</div>"


def _bar(slab: Sequence[MemoryBlock], colours: dict[str, str]) -> str:
    total = sum(block.byte_size for block in slab)
    pieces = "".join(_piece(block, total, colours) for block in slab[:_MOST_BLOCKS])
    return f'<div style="display:flex;height:14px;margin:2px 0;border:1px solid #8886">{pieces}</div>'


def _piece(block: MemoryBlock, total: int, colours: dict[str, str]) -> str:
    colour = _FREE if block.is_free else colours.get(block.model, _NOBODY)
    share = max(block.byte_size / total, _LEAST_SHARE)
    return f'<span title="{escape(_words(block))}" style="flex:{share:.5f};background:{colour}"></span>'


def _words(block: MemoryBlock) -> str:
    size = format_bytes(block.byte_size)
    if block.is_free:
        return f"free, {size}"
    instance = f" instance {block.instance}" if block.instance >= 0 else ""
    owner = f"{block.model} v{block.version}{instance}" if block.model else "no model"
    return f"{size} of {owner}{f', {block.tensor}' if block.tensor else ''}"
