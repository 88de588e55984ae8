# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json
import math

import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Interval
from workbench.sweep import Candidate, Point, Score, Trial, TrialStore

POINT = Point(
    1000.0, 990.0, 1010.0, Interval(1.0, 0.9, 1.1), Interval(4.0, 3.0, math.inf), 3.5, False, True, ("a stall",)
)
SCORE = Score(Interval(-4.0, -math.inf, -3.0), True, "p99")
TRIAL = Trial(3, Candidate(8, (4, 8), 100, 2), "measured", "max_batch_size: 8", SCORE, (POINT,), 2.0, 1.5, "", "m")
REFUSED = Trial(4, Candidate(8, (), 0, 9), "refused", reason="no memory")


def test_trials_read_back_as_they_were_written(tmp_path):
    store = TrialStore(tmp_path / "deep" / "sweep.json", key="k")
    store.add(TRIAL)
    store.add(REFUSED)
    assert TrialStore(tmp_path / "deep" / "sweep.json", key="k").trials == (TRIAL, REFUSED)


def test_the_file_is_plain_json(tmp_path):
    TrialStore(tmp_path / "sweep.json", key="k").add(TRIAL)
    json.loads((tmp_path / "sweep.json").read_text(), parse_constant=pytest.fail)


def test_an_interrupted_write_leaves_the_trials_before_it(tmp_path, monkeypatch):
    store = TrialStore(tmp_path / "sweep.json", key="k")
    store.add(TRIAL)
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store.add(REFUSED)
    assert TrialStore(tmp_path / "sweep.json", key="k").trials == (TRIAL,)


def test_the_checkpoint_of_another_sweep_is_refused(tmp_path):
    TrialStore(tmp_path / "sweep.json", key="k").add(TRIAL)
    with pytest.raises(InvalidArgumentError, match="another sweep"):
        TrialStore(tmp_path / "sweep.json", key="other")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"sweep": "k", "trials": [{}]}'])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path, text):
    (tmp_path / "sweep.json").write_text(text)
    with pytest.raises(InvalidArgumentError, match="no checkpoint"):
        TrialStore(tmp_path / "sweep.json", key="k")
