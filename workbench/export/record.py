# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What an export knows of its model's figures, kept beside the configuration for whoever verifies it later."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from workbench.display import plain_json
from workbench.load import Workload
from workbench.sweep import Point, Study, Trial

RECORD_FILE: Final = "workbench.json"


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of a comparison.

    Args:
        throughput: answers per second.
        p50_ms, p99_ms: latency.
        p99_low_ms, p99_high_ms: 95 % interval; of a prediction without width.
        mean_batch_size: requests in an execution.
        remark: why the figures are not to be believed; empty where they are.
    """

    throughput: float
    p50_ms: float
    p99_ms: float
    p99_low_ms: float
    p99_high_ms: float
    mean_batch_size: float
    remark: str = ""

    @classmethod
    def of(cls, point: Point) -> Figures:
        """Of a run, measured or predicted."""
        p99 = point.p99_ms
        remark = "; ".join(point.reasons)
        figures = (p99.value, p99.low, p99.high, point.mean_batch_size)
        return cls(point.throughput, point.p50_ms.value, *figures, remark)

    def facts(self) -> dict[str, Any]:
        """For JSON: what is not finite is null."""
        plain: dict[str, Any] = plain_json(asdict(self))
        return plain

    def __str__(self) -> str:
        high = f"{self.p99_high_ms:.3g}" if math.isfinite(self.p99_high_ms) else "?"
        width = "" if self.p99_low_ms == self.p99_high_ms else f" ({self.p99_low_ms:.3g}–{high})"
        flag = f" [flagged: {self.remark}]" if self.remark else ""
        return f"{self.throughput:,.0f}/s, p50 {self.p50_ms:.3g} ms, p99 {self.p99_ms:.3g}{width} ms{flag}"


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """The load that an exported model was chosen under, and how it did.

    Args:
        workload: the load of the figures.
        slo_p99_ms: the objective; infinite for none.
        measured: in the sweep.
        predicted: before it; None without a prediction at this load.
    """

    workload: Workload
    slo_p99_ms: float
    measured: Figures
    predicted: Figures | None = None

    def write(self, folder: Path) -> None:
        """Into the model's folder; the real server ignores the file."""
        content = {
            "workload": asdict(self.workload),
            "slo_p99_ms": plain_json(self.slo_p99_ms),
            "measured": self.measured.facts(),
            "predicted": self.predicted.facts() if self.predicted else None,
        }
        (folder / RECORD_FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def record_of(trial: Trial, study: Study | None) -> ExportRecord | None:
    """Of a trial in its study: at the load where it was confirmed, else where it was chosen."""
    chosen = study.confirmation if study is not None and study.confirmation is not None else trial
    if study is None or chosen.point is None:
        return None
    point = chosen.point
    workload = study.confirming_workload or study.workload.longer(chosen.effort)
    predicted = study.predicted_confirmation
    return ExportRecord(workload, study.slo_p99_ms, Figures.of(point), Figures.of(predicted) if predicted else None)


def read_record(folder: Path) -> ExportRecord | None:
    """The record of a model's folder; None where there is none that can be read."""
    try:
        content = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
        known = {field.name for field in fields(Workload)}
        workload = {name: value for name, value in content["workload"].items() if name in known}
        workload["times_s"] = tuple(workload.get("times_s", ()))
        slo = content["slo_p99_ms"]
        predicted = content["predicted"]
        return ExportRecord(
            Workload(**workload),
            math.inf if slo is None else slo,
            _figures(content["measured"]),
            _figures(predicted) if predicted else None,
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _figures(entry: dict[str, Any]) -> Figures:
    values: dict[str, Any] = {name: math.nan if value is None else value for name, value in entry.items()}
    if entry["p99_high_ms"] is None:
        values["p99_high_ms"] = math.inf
    return Figures(**values)
