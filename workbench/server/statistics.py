# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of a model, as the protocol counts them: a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic_ns, time_ns
from typing import Any, Final

from workbench.events import duration
from workbench.server.rendering import html_table, text_table


@dataclass(frozen=True, slots=True)
class Duration:
    """How often something was done, and the time that it took in all."""

    count: int
    ns: int

    @property
    def mean_ns(self) -> float:
        """Mean time, 0 where it was never done."""
        return self.ns / self.count if self.count else 0.0


_DURATIONS: Final = ("success", "fail", "queue", "compute_input", "compute_infer", "compute_output")


@dataclass(frozen=True, slots=True)
class ModelStatistics:
    """Counts and times since the model was loaded.

    Attributes:
        success, fail: whole requests, by how they ended.
        queue: waits in the queue.
        compute_input, compute_infer, compute_output: the three parts of an execution, of each request.
        inference_count: inferences, a batch of eight being eight.
        execution_count: executions of the backend.
        batches: executions by batch size.
        last_inference_ms: time of the last inference, milliseconds since 1970; 0 where there was none.
    """

    name: str
    version: int
    success: Duration
    fail: Duration
    queue: Duration
    compute_input: Duration
    compute_infer: Duration
    compute_output: Duration
    inference_count: int
    execution_count: int
    batches: Mapping[int, int]
    last_inference_ms: int

    @property
    def mean_batch_size(self) -> float:
        """Inferences for each execution, 0 where there was none."""
        return self.inference_count / self.execution_count if self.execution_count else 0.0

    def _rows(self) -> list[tuple[str, int, str, str]]:
        durations: list[tuple[str, Duration]] = [(name, getattr(self, name)) for name in _DURATIONS]
        return [(name, d.count, duration(d.mean_ns), duration(d.ns)) for name, d in durations]

    def _title(self) -> str:
        return (
            f"{self.name} v{self.version}: {self.inference_count} inferences in {self.execution_count} executions, "
            f"{self.mean_batch_size:.3g} a batch"
        )

    def __str__(self) -> str:
        return f"{self._title()}\n{text_table(_COLUMNS, self._rows())}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        return html_table(_COLUMNS, self._rows(), caption=self._title())


_COLUMNS: Final = ("", "count", "mean", "in all")


def statistics_of(name: str, version: int, counts: Mapping[str, Any]) -> ModelStatistics:
    """The snapshot that the core's `counts` describe."""
    durations = {key: Duration(counts[key]["count"], counts[key]["ns"]) for key in _DURATIONS}
    return ModelStatistics(
        name=name,
        version=version,
        **durations,
        inference_count=counts["inference_count"],
        execution_count=counts["execution_count"],
        batches={row["batch_size"]: row["compute_infer"]["count"] for row in counts["batch_stats"]},
        last_inference_ms=wall_clock_ms(counts["last_inference_ns"]),
    )


def wall_clock_ms(steady_ns: int) -> int:
    """Milliseconds since 1970 of a moment on the core's steady clock; 0 stands for never."""
    if not steady_ns:
        return 0
    return (time_ns() - (monotonic_ns() - steady_ns)) // 1_000_000
