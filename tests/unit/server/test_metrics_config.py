# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from workbench.errors import InvalidArgumentError
from workbench.server.metrics_config import metrics_options


def test_settings_are_those_of_the_command_line() -> None:
    config = {"summary_latencies": "true", "counter_latencies": False, "summary_quantiles": "0.5:0.05,0.99:0.001"}
    assert metrics_options(config) == {
        "summary_latencies": True,
        "counter_latencies": False,
        "summary_quantiles": [0.5, 0.99],
    }


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"latencies": "true"}, "summary_latencies"),
        ({"summary_latencies": "yes"}, "true or false"),
        ({"summary_quantiles": "half"}, "0.5:0.05"),
        ({"summary_quantiles": "1.5:0.1"}, "between 0 and 1"),
    ],
)
def test_mistakes_are_told_with_what_would_be_right(wrong: dict[str, str | bool], told: str) -> None:
    with pytest.raises(InvalidArgumentError, match=told):
        metrics_options(wrong)
