# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import logging

import pytest

from workbench.errors import InvalidArgumentError
from workbench.server import LogSettings
from workbench.server.log_pump import relay


def test_a_message_is_logged_as_if_from_its_own_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "workbench"):
        relay([("WARNING", 1_700_000_000_500_000_000, "model.cc", 7, "100% sure", "identity")], 0)
    (record,) = caplog.records
    assert (record.name, record.levelname, record.filename, record.lineno) == (
        "workbench.backend.identity",
        "WARNING",
        "model.cc",
        7,
    )
    assert record.getMessage() == "100% sure"
    assert record.created == 1_700_000_000.5


def test_levels_are_those_of_logging_and_filtered_by_it(caplog: pytest.LogCaptureFixture) -> None:
    rows = [(level, 1, "f", 1, level, "") for level in ("INFO", "VERBOSE", "ERROR")]
    with caplog.at_level(logging.INFO, "workbench"):
        relay(rows, 0)
    assert [(record.name, record.levelno) for record in caplog.records] == [
        ("workbench.core", logging.INFO),
        ("workbench.core", logging.ERROR),
    ]


def test_lost_messages_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    relay([], 3)
    assert "3 messages" in caplog.text


@pytest.mark.parametrize("wrong", [{"log_format": "XML"}, {"log_verbose_level": -1}])
def test_settings_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidArgumentError):
        LogSettings(**wrong)  # type: ignore[arg-type]
