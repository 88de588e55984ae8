# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The numpy twin of the core's record, compared with the header that the core is compiled from."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest

from workbench.errors import STATUS_CODES
from workbench.events import EVENT_DTYPE, BatchReason, EventKind, ModelState, StatusCode

SOURCES = Path(__file__).parents[3] / "native" / "src"
EVENT_H = (SOURCES / "events" / "event.h").read_text()
STATUS_H = (SOURCES / "base" / "status.h").read_text()
TYPES = {"uint64_t": "<u8", "uint32_t": "<u4", "uint16_t": "<u2", "uint8_t": "u1", "EventKind": "u1"}


def enumerators(header: str, name: str) -> dict[str, int]:
    body = re.search(rf"enum class {name} : \w+ {{(.*?)}};", header, re.DOTALL).group(1)
    body = re.sub(r"//.*", "", body)
    found: dict[str, int] = {}
    for text in filter(None, map(str.strip, body.split(","))):
        key, _, value = text.partition("=")
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", key.strip().removeprefix("k")).upper()
        found[snake] = int(value) if value else len(found)
    return found


@pytest.mark.parametrize("enum", [EventKind, BatchReason, ModelState])
def test_enumerations_equal_those_of_the_core(enum: type[IntEnum]) -> None:
    assert enumerators(EVENT_H, enum.__name__) == {member.name: member.value for member in enum}


def test_tables_by_reason_have_room_for_the_last() -> None:
    (last,) = re.findall(r"kLastBatchReason = BatchReason::k(\w+);", EVENT_H)
    assert last.upper() == max(BatchReason).name.replace("_", "")


def test_status_codes_equal_those_of_the_core_and_of_the_errors() -> None:
    of_core = enumerators(STATUS_H, "StatusCode")
    of_core["INVALID_ARG"] = of_core.pop("INVALID_ARGUMENT")
    assert of_core == {member.name: member.value for member in StatusCode}
    assert tuple(member.name for member in StatusCode)[1:] == STATUS_CODES


def test_record_has_the_fields_of_the_core_at_the_same_places() -> None:
    body = re.search(r"struct Event {(.*?)};", EVENT_H, re.DOTALL).group(1)
    fields = re.findall(r"^\s*(\w+) (\w+) = ", body, re.MULTILINE)
    assert np.dtype([(name, TYPES[kind]) for kind, name in fields]) == EVENT_DTYPE
    assert EVENT_DTYPE.itemsize == 64
