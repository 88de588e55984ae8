# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A configuration is accepted or refused as the real server does it, and at the same stage."""

from __future__ import annotations

import pytest

from tests.conformance.config_cases import ConfigCase, config_cases
from workbench.config import complete, parse_config, validate
from workbench.errors import ConfigError


def outcome_of(text: str) -> str:
    try:
        validate(complete(parse_config(text), name="m"))
    except ConfigError as error:
        return error.stage
    return "accepted"


@pytest.mark.parametrize("case", config_cases(), ids=lambda case: case.name)
def test_configuration_is_judged_as_by_the_real_server(case: ConfigCase) -> None:
    assert outcome_of(case.text_of("m")) == case.outcome
