# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from workbench.export import report


def test_a_report_tells_what_was_sought_and_chosen(study):
    text = report(study)
    assert "Sought: lowest p99 within 5 ms" in text
    assert f"Chosen: **{study.best.candidate}**" in text


def test_a_report_ranks_the_candidates_with_intervals(study):
    rows = [line for line in report(study).splitlines() if line.startswith("| max batch")]
    assert rows[0].startswith(f"| {study.best.candidate} |")
    assert "–" in rows[0]


def test_a_report_says_what_was_refused_and_left_out(study):
    text = report(study)
    assert "refused: no memory for 9 instances" in text
    assert "3 × a batch of one waits for nobody: the delay changes nothing" in text


def test_a_trial_by_itself_has_a_report(study):
    assert str(study.best.candidate) in report(study.best)
