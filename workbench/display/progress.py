# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Progress with remaining time: a small face over tqdm, or over any callable, or over nothing."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Report: TypeAlias = Callable[[float, float, str], None]
"""Called with what is done, what there is in all (same unit), and a few words."""


def silent(_done: float, _total: float, _text: str) -> None:
    """Reports to nobody."""


class _Bar:
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def __call__(self, done: float, total: float, text: str) -> None:
        self._bar.total = round(total, 1)
        self._bar.n = round(min(done, total), 1)
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.refresh()


@contextlib.contextmanager
def reporting(*, progress: bool | Report, title: str, unit: str, total: float) -> Iterator[Report]:
    """A report for the length of a `with`: a bar where `progress` is true and tqdm is there, or the given callable."""
    if callable(progress):
        yield progress
        return
    bar = _tqdm_bar(title, unit, total) if progress else None
    if bar is None:
        yield silent
        return
    try:
        yield _Bar(bar)
    finally:
        bar.close()


def _tqdm_bar(title: str, unit: str, total: float) -> Any | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tqdm warns where there are no widgets, and then draws text
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        layout = "{desc} {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} " + unit + " [{elapsed}<{remaining}] {postfix}"
        return tqdm(total=round(total, 1), desc=title, bar_format=layout, leave=False)
