# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which requests are traced, in the words of the protocol's trace extension."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from workbench.errors import InvalidArgumentError

TraceLevel = Literal["OFF", "TIMESTAMPS", "TENSORS"]
_BITS: Final[Mapping[str, int]] = {"OFF": 0, "TIMESTAMPS": 4, "TENSORS": 8}


@dataclass(frozen=True, slots=True)
class TraceSettings:
    """Which requests of a model are traced, and how.

    Attributes:
        trace_level: "TIMESTAMPS", "TENSORS" or both; "OFF" for none.
        trace_rate: one of so many requests is traced.
        trace_count: so many traces are to come; -1 for any number.
        trace_file: JSON file that the traces are written to, in the form of the original's; "" for none.
        log_frequency: with a file: traces go to numbered files beside it, so many to each; 0: to the file itself.
    """

    trace_level: tuple[TraceLevel, ...] = ("OFF",)
    trace_rate: int = 1000
    trace_count: int = -1
    trace_file: str = ""
    log_frequency: int = 0

    def __post_init__(self) -> None:
        unknown = [level for level in self.trace_level if level not in _BITS]
        if unknown or ("OFF" in self.trace_level and len(self.trace_level) > 1):
            message = f"trace_level is OFF, or TIMESTAMPS and TENSORS as you like; got {', '.join(self.trace_level)}"
            raise InvalidArgumentError(message)
        if self.trace_rate < 1 or self.trace_count < -1:
            message = f"trace_rate is 1 or more, trace_count -1 or more; got {self.trace_rate} and {self.trace_count}"
            raise InvalidArgumentError(message)
        if self.log_frequency < 0:
            message = f"log_frequency is 0 or more; got {self.log_frequency}"
            raise InvalidArgumentError(message)

    @property
    def bits(self) -> int:
        """The level as the C interface has it."""
        return sum(_BITS[level] for level in self.trace_level)
