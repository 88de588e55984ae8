# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of a model, as the protocol counts them: a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
_CACHE: Final = ("cache_hit", "cache_miss")
_COMPUTE: Final = ("compute_input", "compute_infer", "compute_output")
_RESPONSE: Final = ("compute_infer", "compute_output", "success", "fail", "empty_response", "cancel")
_NEVER: Final = Duration(0, 0)


@dataclass(frozen=True, slots=True)
class BatchStatistics:
    """Executions of one batch size, and the three parts of them."""

    batch_size: int
    compute_input: Duration
    compute_infer: Duration
    compute_output: Duration

    @property
    def count(self) -> int:
        """How many executions had that size."""
        return self.compute_infer.count


@dataclass(frozen=True, slots=True)
class ResponseStatistics:
    """Responses that came at one place of their requests, where a decoupled model's backend tells of them."""

    compute_infer: Duration
    compute_output: Duration
    success: Duration
    fail: Duration
    empty_response: Duration
    cancel: Duration


@dataclass(frozen=True, slots=True)
class MemoryUsage:
    """What the model says that it holds of one memory: "CPU", "CPU_PINNED" or "GPU", and which of them."""

    type: str
    id: int
    byte_size: int


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
        batch_stats: the same with their times, smallest size first.
        cache_hit, cache_miss: requests answered out of the response cache, and those that were looked up in vain.
        failures: failed requests by reason: "REJECTED", "CANCELED", "BACKEND", "OTHER".
        response_stats: of a decoupled model, the first, second and further responses of its requests.
        memory_usage: what the model says that it holds.
        copies: bytes of tensors that were copied, by reason: "not_contiguous" (an array's elements lay apart),
            "converted" (values, texts), "device_to_host" (an array of a GPU for a model on the processor), and what
            backends say: "host_to_device", "gathered" and "scattered" (batches), "brought_home" (outputs of a GPU).
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
    batch_stats: tuple[BatchStatistics, ...] = ()
    cache_hit: Duration = _NEVER
    cache_miss: Duration = _NEVER
    failures: Mapping[str, int] = field(default_factory=dict)
    response_stats: tuple[ResponseStatistics, ...] = ()
    memory_usage: tuple[MemoryUsage, ...] = ()
    copies: Mapping[str, int] = field(default_factory=dict)

    @property
    def mean_batch_size(self) -> float:
        """Inferences for each execution, 0 where there was none."""
        return self.inference_count / self.execution_count if self.execution_count else 0.0

    def _rows(self) -> list[tuple[str, int, str, str]]:
        durations = [(name, getattr(self, name)) for name in _DURATIONS]
        durations += [(name, getattr(self, name)) for name in _CACHE if getattr(self, name).count]
        for row in self.batch_stats:
            durations += [(f"batch of {row.batch_size}: {name}", getattr(row, name)) for name in _COMPUTE]
        for place, response in enumerate(self.response_stats, start=1):
            told = [(name, getattr(response, name)) for name in _RESPONSE]
            durations += [(f"response {place}: {name}", spent) for name, spent in told if spent.count]
        return [(name, d.count, duration(d.mean_ns), duration(d.ns)) for name, d in durations]

    def _notes(self) -> list[str]:
        failed = [f"{count} {reason}" for reason, count in self.failures.items() if count]
        held = [f"{one.byte_size:,} B of {one.type} {one.id}" for one in self.memory_usage]
        copied = [f"{count:,} B {reason}" for reason, count in self.copies.items() if count]
        return [
            *([f"failed: {', '.join(failed)}"] if failed else []),
            *([f"holds {', '.join(held)}"] if held else []),
            *([f"copied: {', '.join(copied)}"] if copied else []),
        ]

    def _title(self) -> str:
        return (
            f"{self.name} v{self.version}: {self.inference_count} inferences in {self.execution_count} executions, "
            f"{self.mean_batch_size:.3g} a batch{''.join(f'; {note}' for note in self._notes())}"
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
        batch_stats=tuple(_batch(row) for row in counts["batch_stats"]),
        cache_hit=_duration(counts.get("cache_hit")),
        cache_miss=_duration(counts.get("cache_miss")),
        failures=dict(counts.get("failures", {})),
        response_stats=tuple(_response(row) for row in counts.get("response_stats", {}).values()),
        memory_usage=tuple(MemoryUsage(**row) for row in counts.get("memory_usage", ())),
        copies=dict(counts.get("copies", {})),
    )


def _duration(counts: Mapping[str, int] | None) -> Duration:
    return Duration(counts["count"], counts["ns"]) if counts else _NEVER


def _batch(counts: Mapping[str, Any]) -> BatchStatistics:
    return BatchStatistics(counts["batch_size"], *(_duration(counts[name]) for name in _COMPUTE))


def _response(counts: Mapping[str, Any]) -> ResponseStatistics:
    return ResponseStatistics(*(_duration(counts[name]) for name in _RESPONSE))


def wall_clock_ms(steady_ns: int) -> int:
    """Milliseconds since 1970 of a moment on the core's steady clock; 0 stands for never."""
    if not steady_ns:
        return 0
    return (time_ns() - (monotonic_ns() - steady_ns)) // 1_000_000
