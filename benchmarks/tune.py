# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How long it takes from a model to a tuned, confirmed, reported and exported configuration.

    python benchmarks/tune.py [--slo 10] [--out out/tune]

The model is `synthetic` of the samples: 1 ms for a batch of one. Nothing but the objective is given.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from pathlib import Path
from time import monotonic

import workbench as wb

SAMPLES = Path(__file__).parents[1] / "model_repository"
LIMIT_S = 120.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slo", type=float, default=10.0, help="p99 in ms")
    parser.add_argument("--out", type=Path, default=Path("out/tune"))
    given = parser.parse_args()
    marks = [("begin", monotonic())]
    with wb.Server(SAMPLES, name="tune") as server:
        model = server.load("synthetic")
        calibration = wb.calibrate(model)
        marks.append(("calibrate", monotonic()))
        study = wb.sweep(
            model,
            calibration=calibration,
            slo_p99_ms=given.slo,
            progress=False,
            watch=lambda study: marks.append(("simulate", monotonic())) if not study.trials else None,
        )
        marks.append(("race, confirm", monotonic()))
        wb.report(study, given.out / "report.html")
        wb.export(study, given.out / "models", model=model)
        marks.append(("report, export", monotonic()))
    print(study)
    print(f"confirmed: {study.confirmation}")
    print("\n| step | seconds |\n|---|---|")
    for (_, begin), (name, end) in pairwise(marks):
        print(f"| {name} | {end - begin:.1f} |")
    whole = marks[-1][1] - marks[0][1]
    measured = len({trial.candidate for trial in study.trials})
    print(f"| all | {whole:.1f} |\n\n{len(study.forecasts)} predicted, {measured} measured")
    return int(whole > LIMIT_S)


if __name__ == "__main__":
    sys.exit(main())
