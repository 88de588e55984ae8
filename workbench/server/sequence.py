# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sequences: requests that belong together and meet the same instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_START: Final = 1
_END: Final = 2


@dataclass(frozen=True, slots=True)
class Sequence:
    """The place of a request in its sequence.

    >>> opening, closing = Sequence(7, start=True), Sequence(7, end=True)

    Attributes:
        id: the correlation id, a positive integer or a text.
        start: the request opens the sequence.
        end: the request closes it.
    """

    id: int | str
    start: bool = False
    end: bool = False

    @property
    def flags(self) -> int:
        """The request flags of the protocol."""
        return _START * self.start | _END * self.end
