# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A measurement: what a run told, with intervals, and whether it can be believed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from workbench.display import ShownAsText, Table
from workbench.errors import MissingExtraError
from workbench.load.quantiles import Interval, mean_interval, quantile
from workbench.load.records import Observations, Records
from workbench.load.steadiness import Steadiness, Window, assess, failures, lateness_p99_ns, warmup_cut
from workbench.load.workload import Workload

if TYPE_CHECKING:
    import pandas as pd
    from hdrh.histogram import HdrHistogram

    from workbench.load.target import Statistics

_HIGHEST_NS: Final = 3_600_000_000_000
QUANTILES: Final[Mapping[str, float]] = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}


@dataclass(frozen=True, slots=True)
class Latency:
    """Latency from the intended send time to the answer, in nanoseconds, with 95 % intervals."""

    mean: Interval
    p50: Interval
    p90: Interval
    p95: Interval
    p99: Interval
    p999: Interval

    @classmethod
    def of(cls, latency_ns: NDArray[np.float64]) -> Latency:
        """From single latencies, in the order of their arrival."""
        return cls(mean_interval(latency_ns), *(quantile(latency_ns, q) for q in QUANTILES.values()))


@dataclass(frozen=True, slots=True)
class Split:
    """Where a request's time went in the server, mean nanoseconds a request over the whole run."""

    queue_ns: float = 0.0
    compute_input_ns: float = 0.0
    compute_infer_ns: float = 0.0
    compute_output_ns: float = 0.0


@dataclass(frozen=True, slots=True)
class Measurement(ShownAsText):
    """One run against one model. Only requests after the warm-up count, save in `batches` and `split`.

    Attributes:
        model: its name.
        workload: what was sent.
        window: the part of the run that counts, nanoseconds since its start.
        requests: how many count.
        offered_rate: requests that were due per second in the window.
        throughput: requests per second that were answered without error.
        latency: from the intended send time to the answer, nanoseconds with 95 % intervals.
        lateness_p99_ns: how late the sender was; the latency includes it.
        errors: requests that failed, by the name of the status.
        unanswered: requests that were sent and never answered.
        batches: executions by the rows of their batches.
        split: where a request's time went in the server.
        steadiness: the checks, and what failed.
        attempts: how many runs it took; see `repeats` of `drive`.
        unsent: requests of the schedule, over the whole run, that were never sent because the run was given up.
        records: every request, in the order of sending: a structured array of one dimension.
        observations: what was in flight over time, likewise.
    """

    model: str
    workload: Workload
    window: Window
    requests: int
    offered_rate: float
    throughput: float
    latency: Latency
    lateness_p99_ns: float
    errors: Mapping[str, int]
    unanswered: int
    batches: Mapping[int, int]
    split: Split
    steadiness: Steadiness
    attempts: int = 1
    unsent: int = 0
    records: Records = field(repr=False, compare=False, default_factory=lambda: np.empty(0))
    observations: Observations = field(repr=False, compare=False, default_factory=lambda: np.empty(0))

    @property
    def p50_ms(self) -> float:
        """Median latency."""
        return self.latency.p50.value / 1e6

    @property
    def p99_ms(self) -> float:
        """99th percentile of latency."""
        return self.latency.p99.value / 1e6

    @property
    def mean_batch_size(self) -> float:
        """Mean over executions; NaN without any."""
        executions = sum(self.batches.values())
        return sum(size * count for size, count in self.batches.items()) / executions if executions else math.nan

    @property
    def is_steady(self) -> bool:
        """Whether every check of the measurement passed."""
        return self.steadiness.is_steady

    @property
    def verdict(self) -> str:
        """One word, `steady` or `flagged`."""
        return "steady" if self.is_steady else "flagged"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is flagged."""
        return self.steadiness.reasons

    def latencies_ms(self) -> NDArray[np.float64]:
        """Latency of each measured request that was answered without error, in the order of sending."""
        answered = self.window.answered(self.records)
        answered = answered[answered["status"] == 0]
        latencies: NDArray[np.float64] = (answered["done_ns"] - answered["intended_ns"]) / 1e6
        return latencies

    def histogram(self) -> HdrHistogram:
        """Latencies in nanoseconds as an HDR histogram of three digits: to merge (`add`), to encode, to print.

        Raises:
            MissingExtraError: hdrhistogram is not installed.
        """
        try:
            from hdrh.histogram import HdrHistogram
        except ImportError as error:
            raise MissingExtraError("an HDR histogram", extra="tune") from error
        histogram = HdrHistogram(1, _HIGHEST_NS, 3)
        latencies = np.clip(np.rint(self.latencies_ms() * 1e6), 1, _HIGHEST_NS).astype(np.int64)
        for value, count in zip(*(part.tolist() for part in np.unique(latencies, return_counts=True)), strict=True):
            histogram.record_value(value, count)
        return histogram

    def facts(self) -> dict[str, float | int | str]:
        """Everything but the records, flat: a row of a table or of a file."""
        row: dict[str, float | int | str] = {"model": self.model, "workload": str(self.workload)}
        row |= {"requests": self.requests, "offered_rate": self.offered_rate, "throughput": self.throughput}
        for part in fields(Latency):
            interval: Interval = getattr(self.latency, part.name).scaled(1e-6)
            row |= {f"{part.name}_ms": interval.value, f"{part.name}_low_ms": interval.low}
            row[f"{part.name}_high_ms"] = interval.high
        row |= {part.name: getattr(self.split, part.name) for part in fields(Split)}
        row |= {"mean_batch_size": self.mean_batch_size, "lateness_p99_ms": self.lateness_p99_ns / 1e6}
        row |= {"failed": sum(self.errors.values()), "unanswered": self.unanswered, "unsent": self.unsent}
        row |= {"verdict": self.verdict, "reasons": "; ".join(self.reasons)}
        return row

    def to_frame(self) -> pd.DataFrame:
        """One row.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("a data frame", extra="tune") from error
        return pd.DataFrame([self.facts()])

    def __str__(self) -> str:
        flag = "" if self.is_steady else f" [flagged: {'; '.join(self.reasons)}]"
        served = f"{self.model}: {self.throughput:,.0f}/s of {self.offered_rate:,.0f}/s offered"
        if not self.throughput:
            return served + flag
        latency = f"p50 {_ms(self.latency.p50)}, p99 {_ms(self.latency.p99)}"
        again = f", the calmest of {self.attempts} runs" if self.attempts > 1 else ""
        return f"{served}, {latency}, mean batch {self.mean_batch_size:.1f}{again}{flag}"

    def table(self) -> Table:
        """Its figures in words, one a row."""
        return Table(("", ""), tuple(self._lines()), f"{self.model}, {self.workload}")

    def _repr_html_(self) -> str:
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>" for name, text in self._lines())
        return f"<table><caption><b>{escape(self.model)}</b>, {escape(str(self.workload))}</caption>{cells}</table>"

    def _lines(self) -> list[tuple[str, str]]:
        lines = [
            ("verdict", "; ".join((self.verdict, *self.reasons))),
            *([("runs", f"the calmest of {self.attempts}")] if self.attempts > 1 else []),
            (
                "throughput",
                f"{self.throughput:,.0f}/s of {self.offered_rate:,.0f}/s offered, {self.requests:,} measured",
            ),
            *((name, _ms(getattr(self.latency, name))) for name in QUANTILES),
            ("in the server", _split_words(self.split)),
            ("batch size", _histogram_words(self.batches)),
            ("sender late", f"p99 {self.lateness_p99_ns / 1e3:,.0f} µs, counted in the latency"),
        ]
        if self.errors or self.unanswered or self.unsent:
            failed = [f"{count:,} {name}" for name, count in self.errors.items()]
            lost = (f"{self.unanswered:,} unanswered", f"{self.unsent:,} never sent")
            lines.append(("not served", ", ".join((*failed, *lost))))
        return lines


def _ms(interval: Interval) -> str:
    return "no answer" if math.isnan(interval.value) else f"{interval.scaled(1e-6)} ms"


def _split_words(split: Split) -> str:
    compute = split.compute_input_ns + split.compute_infer_ns + split.compute_output_ns
    total = split.queue_ns + compute
    if not total:
        return "no statistics"
    return f"queue {split.queue_ns / 1e6:.3g} ms ({split.queue_ns / total:.0%}), compute {compute / 1e6:.3g} ms"


def _histogram_words(batches: Mapping[int, int]) -> str:
    executions = sum(batches.values())
    if not executions:
        return "no batch"
    mean = sum(size * count for size, count in batches.items()) / executions
    largest = sorted(batches.items(), key=lambda item: -item[1])[:4]
    return f"mean {mean:.1f}: " + ", ".join(f"{size} in {count / executions:.0%}" for size, count in sorted(largest))


def measured_window(records: Records, *, warmup_s: float | None) -> Window:
    """The window after the warm-up, which MSER-5 finds where `warmup_s` is None."""
    done = records["done_ns"]
    end_ns = int(max(records["intended_ns"].max(initial=0), 0))
    end_ns = max(end_ns, 1) if end_ns else int(done.max(initial=1))
    if warmup_s is not None:
        return Window(min(int(warmup_s * 1e9), end_ns), end_ns)
    answered = records[done > 0]
    cut = warmup_cut((answered["done_ns"] - answered["intended_ns"]).astype(np.float64))
    return Window(int(answered["intended_ns"][cut]) if cut else 0, end_ns)


def measurement_of(
    model: str,
    workload: Workload,
    records: Records,
    observations: Observations,
    *,
    before: Statistics,
    after: Statistics,
    warmup_s: float | None = None,
    planned: int = 0,
) -> Measurement:
    """Reduces a run to its measurement; `planned` is the number of requests of an open loop's schedule."""
    window = measured_window(records, warmup_s=warmup_s)
    sent = window.due(records)
    answered = sent[sent["done_ns"] > 0]
    good = answered[answered["status"] == 0]
    in_window = window.answered(records)
    seconds = max(window.seconds, 1e-9)
    return Measurement(
        model=model,
        workload=workload,
        window=window,
        requests=len(answered),
        offered_rate=len(sent) / seconds,
        throughput=int((in_window["status"] == 0).sum()) / seconds,
        latency=Latency.of((good["done_ns"] - good["intended_ns"]).astype(np.float64)),
        lateness_p99_ns=lateness_p99_ns(sent),
        errors=failures(answered),
        unanswered=len(sent) - len(answered),
        batches=_difference(before.batches, after.batches),
        split=_split(before, after),
        steadiness=assess(records, observations, window, is_open_loop=workload.is_open_loop),
        unsent=planned - len(records) if planned else 0,
        records=records,
        observations=observations,
    )


def _difference(before: Mapping[int, int], after: Mapping[int, int]) -> dict[int, int]:
    changed = {size: count - before.get(size, 0) for size, count in sorted(after.items())}
    return {size: count for size, count in changed.items() if count > 0}


def _split(before: Statistics, after: Statistics) -> Split:
    count = after.success.count - before.success.count
    if count <= 0:
        return Split()
    names = ("queue", "compute_input", "compute_infer", "compute_output")
    return Split(*((getattr(after, name).ns - getattr(before, name).ns) / count for name in names))
