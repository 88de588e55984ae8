# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import math
from dataclasses import replace

from workbench.config import parse_config
from workbench.export import tuned_config_text
from workbench.load import Interval


def test_the_text_reads_back_as_the_configuration_that_was_measured(best):
    assert parse_config(tuned_config_text(best)) == parse_config(best.config)


def test_every_tuned_value_says_where_it_came_from(best):
    lines = tuned_config_text(best).splitlines()
    notes = {lines[i + 1].split(":")[0].strip(" {["): line.strip() for i, line in enumerate(lines) if "tuned:" in line}
    assert notes["max_batch_size"] == "# workbench: tuned: kept at 8"
    assert notes["count"] == "# workbench: tuned: was 1"


def test_the_head_tells_objective_load_and_figures_with_intervals(best):
    head = tuned_config_text(best).split("name:")[0]
    assert "lowest p99 within 5 ms" in head
    assert "1,500 requests/s" in head
    assert "best of 9 combinations" in head
    assert "95 % interval" in head


def test_a_flagged_measurement_is_not_hidden(best):
    flagged = replace(best, points=(replace(best.point, is_steady=False, reasons=("the machine stood still",)),))
    assert "# workbench: The measurement is flagged: the machine stood still." in tuned_config_text(flagged)


def test_an_interval_without_upper_bound_says_so(best):
    open_ended = replace(best, points=(replace(best.point, p99_ms=Interval(2.0, 1.0, math.inf)),))
    assert "too few samples" in tuned_config_text(open_ended)
