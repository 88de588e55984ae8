# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The one colour language of all pictures: a meaning has a colour, a shape and a word, in Python and in the browser.

Okabe and Ito's colours, which colour-blind eyes tell apart. Batch reasons are numbered as in the event log.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final, Literal

BLUE: Final = "#0072B2"
SKY: Final = "#56B4E9"
ORANGE: Final = "#E69F00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"
VERMILION: Final = "#D55E00"
GREY: Final = "#8C8C8C"

WAITING_OPACITY: Final = 0.4
PREDICTED_OPACITY: Final = 0.25

Shape = Literal["square", "diamond", "clock", "circle", "cross", "triangle"]


@dataclass(frozen=True, slots=True)
class ReasonStyle:
    """How a batch that left for one reason is drawn and called."""

    name: str
    words: str
    colour: str
    shape: Shape
    hatched: bool = False


REASONS: Final[tuple[ReasonStyle, ...]] = (
    ReasonStyle("none", "no reason given", GREY, "circle", hatched=True),
    ReasonStyle("direct", "direct", BLUE, "triangle"),
    ReasonStyle("full", "full", BLUE, "square"),
    ReasonStyle("preferred", "preferred size", SKY, "diamond"),
    ReasonStyle("delay_expired", "delay expired", ORANGE, "clock"),
    ReasonStyle("instance_free", "instance free", GREEN, "circle"),
    ReasonStyle("shape_mismatch", "other shape", PURPLE, "cross"),
    ReasonStyle("custom", "custom rule", PURPLE, "triangle", hatched=True),
    ReasonStyle("sequence", "sequence", PURPLE, "square", hatched=True),
    ReasonStyle("shutdown", "shutdown", GREY, "square", hatched=True),
    ReasonStyle("cached", "from the cache", GREY, "diamond", hatched=True),
)


def reason_style(code: int) -> ReasonStyle:
    """The style of a batch reason; a code of a later version looks like "no reason given"."""
    return REASONS[code] if 0 <= code < len(REASONS) else REASONS[0]


def palette() -> dict[str, object]:
    """What the browser needs to draw with the same colours, as plain values for a widget trait."""
    return {
        "reasons": [asdict(style) for style in REASONS],
        "alarm": VERMILION,
        "waiting": GREY,
        "waiting_opacity": WAITING_OPACITY,
        "predicted_opacity": PREDICTED_OPACITY,
    }


OWNERS: Final = (BLUE, ORANGE, GREEN, PURPLE, SKY, "#F0E442")
"""Hues of models where several are told apart; vermilion stays for what went wrong."""


def owner_colour(model: int) -> str:
    """The hue of a model by its number; what no model asked for is grey."""
    return GREY if model <= 0 else OWNERS[(model - 1) % len(OWNERS)]
