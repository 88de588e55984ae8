# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The product's pick beside that of Model Analyzer's brute rules, and the time that each took.

    python benchmarks/beside_analyzer.py [--slo 10] [--seconds 1] [--instances 3] [--largest 32]

The rules, written from their description, are driven against the real server by our own load over HTTP: instances 1,
2, ... times largest batches 1, 2, 4, ..., a server started for each, the closed loop doubled until throughput grows by
less than 5 %, and of all points the highest throughput whose p99 is within the objective. Then both picks serve here,
and the goodput of each is measured in turns on the same traces. The tool itself measures each point for longer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic

import workbench as wb
from workbench.config import parse_config, write_config
from workbench.export.peer import real_server
from workbench.load import RemoteModel, Workload, drive
from workbench.sweep import Candidate, Goodput, Proposal, TunableModel, tuned_config
from workbench.sweep.attempt import Attempt

SAMPLES = Path(__file__).parents[1] / "model_repository"
PLATEAU = 1.05
TURNS = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slo", type=float, default=10.0, help="p99 in ms")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each of the tool's points")
    parser.add_argument("--instances", type=int, default=3)
    parser.add_argument("--largest", type=int, default=32)
    given = parser.parse_args()
    with wb.Server(SAMPLES, name="beside") as server:
        model = server.load("synthetic")
        begin = monotonic()
        study = wb.sweep(model, slo_p99_ms=given.slo, progress=False)
        ours_s, begin = monotonic() - begin, monotonic()
        analyzer, points = brute(model, given.slo, given.seconds, given.instances, given.largest)
        theirs_s = monotonic() - begin
        found = goodputs(model, [study.best.candidate, analyzer], given.slo)
    print("| search | seconds | points measured | pick | goodput here, requests/s |\n|---|---|---|---|---|")
    ours, theirs = (found[candidate] for candidate in (study.best.candidate, analyzer))
    runs = sum(len(trial.points) for trial in study.trials)
    print(f"| ours | {ours_s:.0f} | {runs} | {study.best.candidate} | {ours:,.0f} |")
    print(f"| brute rules | {theirs_s:.0f} | {points} | {analyzer} | {theirs:,.0f} |")
    print(f"\nratio of goodput {ours / theirs if theirs else float('inf'):.2f}")
    return int(ours < theirs)


def brute(model: wb.server.Model, slo: float, seconds: float, instances: int, largest: int) -> tuple[Candidate, int]:
    """Its pick, and how many points it measured."""
    config, best, points = parse_config(model.config), (False, 0.0), 0
    pick = Candidate(1, (), 0, 1)
    sizes = [2**power for power in range(largest.bit_length())]
    for candidate in (Candidate(size, (), 0, count) for count in range(1, instances + 1) for size in sizes):
        with tempfile.TemporaryDirectory() as folder:
            exported = wb.export(model, folder)
            exported.config_path.write_text(write_config(tuned_config(config, candidate)))
            with real_server(Path(folder), download=True) as peer:
                remote, last, concurrency = RemoteModel(peer.http_url, model.name), 0.0, 1
                while concurrency <= 1024:
                    run = drive(remote, workload=Workload(concurrency=concurrency, duration_s=seconds))
                    points += 1
                    rank = (run.p99_ms <= slo, run.throughput)
                    best, pick = max((best, pick), (rank, candidate), key=lambda pair: pair[0])
                    if run.throughput < PLATEAU * last:
                        break
                    last, concurrency = run.throughput, concurrency * 2
    return pick, points


def goodputs(model: wb.server.Model, candidates: list[Candidate], slo: float) -> dict[Candidate, float]:
    """Medians over turns, the two measured one after the other in each."""
    tunable = TunableModel(model)
    attempt = Attempt(Goodput(slo), Workload(rate=1000, duration_s=1.0), 2)
    found: dict[Candidate, list[float]] = {candidate: [] for candidate in candidates}
    for turn in range(TURNS):
        for candidate in candidates if turn % 2 else candidates[::-1]:
            score = attempt(tunable, Proposal(candidate, turn=turn)).score
            found[candidate].append(score.gain.value if score else 0.0)
    tunable.restore()
    return {candidate: median(values) for candidate, values in found.items()}


if __name__ == "__main__":
    sys.exit(main())
