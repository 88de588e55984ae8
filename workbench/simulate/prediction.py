# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulation tells: the figures of a measurement, marked as predicted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.display import ShownAsText
from workbench.events import BatchReason

SIMULATION_DTYPE: Final = np.dtype(
    [
        ("arrival_ns", "<i8"),
        ("latency_ns", "<i8"),
        ("queue_ns", "<i8"),
        ("batch", "<u4"),
        ("rows", "<u2"),
        ("reason", "u1"),
        ("status", "u1"),
    ]
)
"""A simulated request: `latency_ns` is -1 where it was refused; `batch` numbers executions in the order of their ends,
`rows` are those of the whole batch; `status` is 0 answered, 1 rejected by a full queue, 2 timed out, 3 unanswered."""


@dataclass(frozen=True, slots=True)
class Prediction(ShownAsText):
    """What a model would do under a load. Nothing here was measured.

    Args:
        model: its name.
        workload: what came, in words.
        requests: answered, after the warm-up.
        mean_ns, p50_ns, p90_ns, p95_ns, p99_ns, p999_ns, max_ns: latency, from a request's time to its answer.
        queue_ns, service_ns, overhead_ns: the mean latency's parts.
        throughput: answers per second.
        batches: executions by batch size.
        reasons: executions by the reason for which their batch left the queue.
        rejected, timed_out: requests that found the queue full, or waited for too long.
        utilisation: share of the time in which an instance executes.
        is_overloaded: more came than could be answered: latencies would grow with the run.
        models: of an ensemble, what each model of its steps would do: latencies are those of the steps. Its own
            `queue_ns` is that of all steps, and may count twice what steps beside each other waited.
        records: one of `SIMULATION_DTYPE` for each request, where they were kept.
    """

    model: str
    workload: str
    requests: int
    mean_ns: float
    p50_ns: float
    p90_ns: float
    p95_ns: float
    p99_ns: float
    p999_ns: float
    max_ns: float
    queue_ns: float
    service_ns: float
    overhead_ns: float
    throughput: float
    batches: Mapping[int, int]
    reasons: Mapping[str, int]
    rejected: int = 0
    timed_out: int = 0
    utilisation: float = 0.0
    is_overloaded: bool = False
    models: Mapping[str, Prediction] = field(default_factory=dict)
    records: NDArray[np.void] = field(
        repr=False, compare=False, default_factory=lambda: np.empty(0, dtype=SIMULATION_DTYPE)
    )

    @property
    def is_predicted(self) -> bool:
        """Always: what was measured is a `Measurement`."""
        return True

    @property
    def mean_batch_size(self) -> float:
        """Rows of an execution, in the mean."""
        executions = sum(self.batches.values())
        return sum(size * count for size, count in self.batches.items()) / executions if executions else math.nan

    def facts(self) -> dict[str, Any]:
        """Flat: a row of a table. Times in milliseconds."""
        times = ("mean", "p50", "p90", "p95", "p99", "p999", "max", "queue", "service")
        row: dict[str, Any] = {"model": self.model, "predicted": True, "throughput": self.throughput}
        row |= {f"{name}_ms": getattr(self, f"{name}_ns") / 1e6 for name in times}
        row |= {"mean_batch_size": self.mean_batch_size, "utilisation": self.utilisation}
        return row | {"rejected": self.rejected, "timed_out": self.timed_out, "overloaded": self.is_overloaded}

    def __str__(self) -> str:
        overloaded = ", more comes than can be answered" if self.is_overloaded else ""
        return (
            f"{self.model} (predicted): {self.throughput:,.0f}/s, p50 {self.p50_ns / 1e6:.3g} ms, "
            f"p99 {self.p99_ns / 1e6:.3g} ms, mean batch {self.mean_batch_size:.1f}, "
            f"utilisation {self.utilisation:.0%}{overloaded}"
        )

    def _repr_html_(self) -> str:
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>" for name, text in self._lines())
        title = f"<b>{escape(self.model)}</b>, <i>predicted</i>, {escape(self.workload)}"
        return f"<table><caption>{title}</caption>{cells}</table>"

    def _lines(self) -> list[tuple[str, str]]:
        executions = max(sum(self.batches.values()), 1)
        why = ", ".join(f"{name} {count / executions:.0%}" for name, count in self.reasons.items())
        lines = [("throughput", f"{self.throughput:,.0f}/s, {self.requests:,} simulated")]
        lines += [(name, f"{getattr(self, f'{name}_ns') / 1e6:.3g} ms") for name in ("p50", "p90", "p99", "p999")]
        lines += [
            ("of the mean", f"queue {self.queue_ns / 1e6:.3g} ms, service {self.service_ns / 1e6:.3g} ms"),
            ("batch size", f"mean {self.mean_batch_size:.1f}; {why}"),
            ("utilisation", f"{self.utilisation:.0%}" + (", overloaded" if self.is_overloaded else "")),
        ]
        lines += [(f"step {name}", _step_words(told)) for name, told in self.models.items()]
        if self.rejected or self.timed_out:
            lines.append(("not served", f"{self.rejected:,} rejected, {self.timed_out:,} timed out"))
        return lines


def _step_words(told: Prediction) -> str:
    return (
        f"queue {told.queue_ns / 1e6:.3g} ms, service {told.service_ns / 1e6:.3g} ms, "
        f"mean batch {told.mean_batch_size:.1f}, utilisation {told.utilisation:.0%}"
    )


def prediction_of(
    told: Mapping[str, Any], *, model: str, workload: str, overhead_ns: float, models: Sequence[str] = ()
) -> Prediction:
    """From what the native simulation tells; `models` names those of an ensemble's steps."""
    p50, p90, p95, p99, p999 = told["quantiles_ns"]
    batches: dict[int, int] = {}
    reasons: dict[str, int] = {}
    for size, code, count in told["batches"]:
        batches[size] = batches.get(size, 0) + count
        name = BatchReason(code).name.lower()
        reasons[name] = reasons.get(name, 0) + count
    return Prediction(
        model=model,
        workload=workload,
        requests=told["answered"],
        mean_ns=told["mean_ns"],
        p50_ns=p50,
        p90_ns=p90,
        p95_ns=p95,
        p99_ns=p99,
        p999_ns=p999,
        max_ns=told["max_ns"],
        queue_ns=told["queue_mean_ns"],
        service_ns=told["service_mean_ns"],
        overhead_ns=overhead_ns,
        throughput=told["throughput"],
        batches=batches,
        reasons=dict(sorted(reasons.items(), key=lambda item: -item[1])),
        rejected=told["rejected"],
        timed_out=told["timed_out"],
        utilisation=told["utilisation"],
        is_overloaded=told["is_overloaded"],
        models={
            name: prediction_of(step, model=name, workload=workload, overhead_ns=0.0)
            for name, step in zip(models, told["models"], strict=True)
        },
        records=told["records"],
    )
