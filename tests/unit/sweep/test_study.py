# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json
import math

import pytest

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.load import Interval, Workload
from workbench.sweep import Candidate, Forecast, LowestMemory, Point, Score, Study, Trial, Weighted


def point(throughput, p99):
    return Point(throughput, throughput, throughput + 5, Interval(1, 1, 1), Interval(p99, p99, math.inf), 2.0)


def trial(count, throughput, p99, memory=0, size=8):
    score = Score(Interval(throughput, throughput, throughput), is_feasible=True, words="")
    candidate = Candidate(size, (), 0, count)
    return Trial(count, candidate, score=score, points=(point(throughput, p99),), memory_bytes=memory)


TRIALS = (trial(1, 100, 5.0, 10), trial(2, 190, 4.0, 20), trial(3, 185, 4.5, 30))
STUDY = Study("m", "most", Workload(rate=100), 5.0, TRIALS[0].candidate, TRIALS)


def counts(trials):
    return [one.candidate.count for one in trials]


def test_the_front_holds_what_nothing_beats_in_every_figure():
    assert counts(STUDY.pareto("throughput", "count")) == [1, 2]
    assert counts(STUDY.pareto("throughput")) == [2]
    assert counts(STUDY.pareto()) == [1, 2]
    with pytest.raises(NotFoundError, match="throughput"):
        STUDY.pareto("beauty")


def test_a_study_as_json_has_no_infinities():
    json.dumps(STUDY.facts(), allow_nan=False)
    assert [row["count"] for row in STUDY.facts()["trials"]] == [1, 2, 3]


def test_a_study_as_parquet_has_predicted_beside_measured(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    forecast = Forecast(TRIALS[1].candidate, TRIALS[2].score, TRIALS[2].points)
    study = Study("m", "most", Workload(rate=100), 5.0, TRIALS[0].candidate, TRIALS, forecasts=(forecast,))
    frame = pd.read_parquet(study.to_parquet(tmp_path / "study.parquet"))
    assert list(frame["gain"]) == [100, 190, 185]
    assert frame["predicted_gain"].isna().tolist() == [True, False, True]
    assert frame["predicted_gain"][1] == 185


def test_less_memory_is_better_within_the_objective():
    small, large = (LowestMemory(5.0).score((point(100, 4.0),), memory_bytes=size) for size in (10, 20))
    assert small.rank > large.rank
    assert not LowestMemory(3.0).score((point(100, 4.0),)).is_feasible


def test_weights_trade_one_figure_for_another():
    equal, fast = Weighted({"throughput": 1, "p99": 1}), Weighted({"throughput": 1, "p99": 3})
    many, quick = (point(120, 5.0),), (point(100, 4.5),)
    assert equal.score(many).rank > equal.score(quick).rank
    assert fast.score(many).rank < fast.score(quick).rank
    assert (
        Weighted({"memory": 1}).score(many, memory_bytes=5).rank
        > Weighted({"memory": 1}).score(many, memory_bytes=6).rank
    )


@pytest.mark.parametrize("weights", [{}, {"p99": 0}, {"beauty": 1}])
def test_weights_are_positive_numbers_of_known_figures(weights):
    with pytest.raises(InvalidArgumentError):
        Weighted(weights)
