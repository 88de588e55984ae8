# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A finished picture: shows itself in a notebook, and saves itself."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Still:
    """A matplotlib figure that belongs to no window; `figure` is there for whoever wants to change it."""

    figure: Figure

    def save(self, path: str | Path) -> Path:
        """Writes the picture; the suffix says the format (".svg", ".png", ".pdf")."""
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        self.figure.savefig(target, dpi=150)
        return target

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()
