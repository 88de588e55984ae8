# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How good the pick of each search is, with ten configurations measured: replayed on tables of `search_table.py`.

A cell is a model and a latency objective. What a search sees of a candidate is one turn of its ladder, blurred within
its interval; what counts is the mean of all turns. The share of the exhaustive optimum's goodput is shown.

    python benchmarks/search.py out/search.csv [--runs 20]

Model Analyzer's rules are written from their description: brute takes instances and batches of powers of two in order,
as far as the table has them, quick climbs over both from the smallest; both measure the closed loop with 2 × batch ×
instances in flight, take the highest throughput whose p99 is within the objective, and leave delay and preferred sizes
alone.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, quantiles

import numpy as np
from search_table import Row, objectives, read_rows
from search_world import PLAIN

from workbench.config import parse_config, write_config
from workbench.load import Interval, Workload
from workbench.simulate import Calibration, Simulator
from workbench.simulate.interpolation import isotonic
from workbench.sweep import Candidate, Goodput, OptunaSampling, Score, Trial, tuned_config
from workbench.sweep.forecast import Forecast, forecasts
from workbench.sweep.pooling import ranked
from workbench.sweep.race import race, shortlist
from workbench.sweep.score import UNCONSTRAINED

BUDGET = 10


@dataclass(frozen=True)
class Cell:
    """A model and an objective, with what was measured: goodputs by turn, closed loops."""

    model: str
    slo_p99_ms: float
    goodput: dict[Candidate, tuple[Interval, ...]]
    closed: dict[Candidate, tuple[float, float]]
    calibration: Calibration
    predicted: tuple[Forecast, ...] = field(repr=False, default=())

    def truth(self, candidate: Candidate) -> float:
        return mean(turn.value for turn in self.goodput[candidate])

    @property
    def best(self) -> float:
        return max(map(self.truth, self.goodput))

    def look(self, candidate: Candidate, source: random.Random) -> Score:
        """One noisy measurement."""
        seen = source.choice(self.goodput[candidate])
        width = max(seen.high - seen.low, 0.0) / 2
        value = max(0.0, source.gauss(seen.value, width / 1.96 / 2))
        return Score(Interval(value, value - width, value + width), value > 0, f"{value:,.0f}/s")


def crossing(ladder: Sequence[Row], slo: float) -> Interval:
    """Where p99 crosses the objective, a power of the rate between two rungs; bounds from the rungs' intervals."""
    p99s = [[getattr(row, name) for row in ladder] for name in ("p99_ms", "p99_high_ms", "p99_low_ms")]
    bounds = [_crossing(ladder, late, slo) for late in p99s]
    return Interval(bounds[0], min(bounds), max(bounds))


def _crossing(ladder: Sequence[Row], p99s: Sequence[float], slo: float) -> float:
    """A larger rate has no smaller p99: what chance put out of order is evened out first."""
    logs = [math.log(_known(row, late, slo)) for row, late in zip(ladder, p99s, strict=True)]
    good: tuple[float, float] | None = None
    for row, late in zip(ladder, np.exp(isotonic(np.array(logs))), strict=True):
        if row.kept_up and late <= slo:
            good = row.rate, float(late)
        elif good is None:
            return 0.0
        else:
            way = min(math.log(slo / good[1]) / math.log(max(late / good[1], 1.02)), 1.0)
            return good[0] * (row.rate / good[0]) ** way
    return good[0] if good else 0.0


def _known(row: Row, late: float, slo: float) -> float:
    """An open bound lies 30 % above; of a run that fell behind p99 says nothing, and it has missed the objective."""
    late = late if math.isfinite(late) else row.p99_ms * 1.3
    return late if row.kept_up and math.isfinite(late) else max(10 * slo, row.p99_ms if row.p99_ms > 0 else 0.0)


def read(path: Path) -> list[Cell]:
    """Cells of all models of a table, those left out that are not measured to the end."""
    by_model: dict[str, list[Row]] = defaultdict(list)
    for row in read_rows(path):
        by_model[row.model].append(row)
    cells = []
    for model, rows in by_model.items():
        calibration = Calibration.from_mapping(json.loads(path.with_suffix(f".{model}.json").read_text()))
        closed = {row.candidate: (row.throughput, row.p99_ms) for row in rows if row.concurrency}
        if not closed:
            print(f"{model} is not measured to the end, and left out")
            continue
        ladders: dict[Candidate, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for row in sorted((row for row in rows if not row.concurrency), key=lambda row: row.rate):
            ladders[row.candidate][row.turn].append(row)
        for slo in objectives(calibration):
            goodput = {c: tuple(crossing(ladder, slo) for ladder in turns.values()) for c, turns in ladders.items()}
            cells.append(predicted(Cell(model, slo, goodput, closed, calibration)))
    return cells


def predicted(cell: Cell) -> Cell:
    config = parse_config(PLAIN)
    rows = forecasts(
        list(cell.goodput),
        lambda candidate: write_config(tuned_config(config, candidate)),
        predictor=Simulator(cell.calibration),
        objective=Goodput(cell.slo_p99_ms),
        workload=Workload(rate=200, duration_s=1),
        constraints=UNCONSTRAINED,
    )
    found = tuple(forecast for row in rows for forecast in row)
    return Cell(cell.model, cell.slo_p99_ms, cell.goodput, cell.closed, cell.calibration, found)


Search = Callable[[Cell, random.Random], tuple[Candidate, int]]
"""The pick, and how many configurations were measured."""


def raced(cell: Cell, source: random.Random) -> tuple[Candidate, int]:
    """The product's: predict all, race the best eight and the model as it is."""
    base = Candidate(32, (), 0, 1)
    chosen = shortlist(cell.predicted, base=base, most=8)
    strategy = race(chosen, Goodput(cell.slo_p99_ms))
    told: list[Trial] = []
    while (proposal := strategy.ask()) is not None:
        score = cell.look(proposal.candidate, source)
        told.append(Trial(0, proposal.candidate, score=score, effort=proposal.effort, turn=proposal.turn))
        strategy.tell(told[-1])
    return ranked(told)[0].candidate, len({trial.candidate for trial in told})


def simulator_alone(cell: Cell, _source: random.Random) -> tuple[Candidate, int]:
    """The best predicted, unmeasured."""
    return max(cell.predicted, key=lambda forecast: forecast.score.rank).candidate, 0


def at_random(cell: Cell, source: random.Random) -> tuple[Candidate, int]:
    """Ten of all, the best measured."""
    seen = {c: cell.look(c, source) for c in source.sample(list(cell.goodput), min(BUDGET, len(cell.goodput)))}
    return max(seen, key=lambda c: seen[c].rank), len(seen)


def by_tpe(cell: Cell, source: random.Random) -> tuple[Candidate, int]:
    """Optuna's sampler, ten measured."""
    strategy = OptunaSampling(list(cell.goodput), trials=BUDGET, seed=source.randrange(2**31))
    seen: dict[Candidate, Score] = {}
    while (proposal := strategy.ask()) is not None:
        seen[proposal.candidate] = cell.look(proposal.candidate, source)
        strategy.tell(Trial(0, proposal.candidate, score=seen[proposal.candidate]))
    return max(seen, key=lambda c: seen[c].rank), len(seen)


def _closed_rank(cell: Cell, candidate: Candidate) -> tuple[bool, float]:
    throughput, p99 = cell.closed[candidate]
    return p99 <= cell.slo_p99_ms, throughput


def analyzer_brute(cell: Cell, _source: random.Random) -> tuple[Candidate, int]:
    """In its order, as far as the budget goes."""
    plain = [c for c in cell.closed if not c.preferred_batch_size]
    order = sorted(plain, key=lambda c: (c.count, c.max_batch_size))[:BUDGET]
    return max(order, key=lambda c: _closed_rank(cell, c)), len(order)


def analyzer_quick(cell: Cell, _source: random.Random) -> tuple[Candidate, int]:
    """From the smallest, to the best neighbour as long as there is a better one."""
    plain = {(c.max_batch_size, c.count): c for c in cell.closed if not c.preferred_batch_size}
    sizes, counts = (sorted({key[axis] for key in plain}) for axis in (0, 1))
    here, seen = (0, 0), {(0, 0)}
    while True:
        near = [(here[0] + a, here[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        near = [(a, b) for a, b in near if 0 <= a < len(sizes) and 0 <= b < len(counts)]
        new = [place for place in near if place not in seen][: BUDGET - len(seen)]
        seen |= set(new)
        at = {place: plain[sizes[place[0]], counts[place[1]]] for place in seen}
        best = max(seen, key=lambda place: _closed_rank(cell, at[place]))
        if best == here or not new:
            return at[best], len(seen)
        here = best


SEARCHES: dict[str, Search] = {
    "predict, race (ours)": raced,
    "simulator alone": simulator_alone,
    "random": at_random,
    "TPE (Optuna)": by_tpe,
    "Model Analyzer, quick": analyzer_quick,
    "Model Analyzer, brute": analyzer_brute,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--runs", type=int, default=20, help="replays of each cell")
    given = parser.parse_args()
    cells = [cell for cell in read(given.table) if cell.best > 0]
    print(f"{len(cells)} cells, {given.runs} runs each; share of the exhaustive optimum's goodput\n")
    print("| search | measured, most | mean | 10th percentile | runs at 97 % or more |")
    print("|---|---|---|---|---|")
    shares: dict[str, list[float]] = {}
    for name, search in SEARCHES.items():
        picks = [(cell, *search(cell, random.Random(run))) for cell in cells for run in range(given.runs)]
        shares[name] = [cell.truth(pick) / cell.best for cell, pick, _ in picks]
        low = quantiles(shares[name], n=10)[0]
        good = mean(share >= 0.97 for share in shares[name])
        most = max(count for *_, count in picks)
        print(f"| {name} | {most} | {mean(shares[name]):.3f} | {low:.3f} | {good:.0%} |")
    print("\n| model | objective, ms | optimum/s | ours | worst of ours |\n|---|---|---|---|---|")
    ours = shares["predict, race (ours)"]
    for number, cell in enumerate(cells):
        mine = ours[number * given.runs : (number + 1) * given.runs]
        print(f"| {cell.model} | {cell.slo_p99_ms:.1f} | {cell.best:,.0f} | {mean(mine):.3f} | {min(mine):.3f} |")
    return int(mean(share >= 0.97 for share in ours) < 0.9 or len(cells) < 12)


if __name__ == "__main__":
    sys.exit(main())
