# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests of the generate, trace and logging extensions, good, odd and malformed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.conformance.http_models import HttpCase


def generations() -> Iterator[HttpCase]:
    """The generate extension."""
    for told in (
        {"INPUT0": "a"}, {"INPUT0": ["a"]}, {"INPUT0": ["a", "b"]}, {"INPUT0": 1}, {"INPUT0": None}, {"INPUT0": []}, {},
        {"INPUT0": "a", "own": 1}, {"INPUT0": "a", "own": "x"}, {"INPUT0": "a", "own": None},
        {"INPUT0": "a", "id": "7"},
        {"INPUT0": "a", "own": [1]}, {"INPUT0": "a", "own": {"x": 1}}, {"INPUT0": "a", "parameters": {"own": 1}},
        {"OTHER": "a"}, [], 1, {"INPUT0": "a", "id": 7}, {"INPUT0": {"a": 1}}, {"INPUT0": [["a"]]}, {"INPUT0": "a\0ä"},
        {"INPUT0": "a", "own": True, "more": 1.5},
    ):  # fmt: skip
        for verb in ("generate", "generate_stream"):
            yield HttpCase(f"{verb} {told}", f"/v2/models/word/{verb}", body=json.dumps(told).encode())
    for verb in ("generate", "generate_stream"):
        for model, data in (
            ("m_INT32", [1, 2, 3, 4]),
            ("m_FP32", [1.5, 2, 3, 4]),
            ("m_INT32", [1]),
            ("plain", [1, 2, 3, 4]),
        ):
            body = json.dumps({"INPUT0": data}).encode()
            yield HttpCase(f"{verb} with {model} {data}", f"/v2/models/{model}/{verb}", body=body)
        for model in ("nobody", "word/versions/1", "word/versions/2"):
            yield HttpCase(f"{verb} of {model}", f"/v2/models/{model}/{verb}", body=b'{"INPUT0": "a"}')
        yield HttpCase(f"{verb} of no JSON", f"/v2/models/word/{verb}", body=b"{")
        yield HttpCase(f"{verb} of nothing", f"/v2/models/word/{verb}")


def settings() -> Iterator[HttpCase]:
    """Trace and log settings, read and changed."""
    for path in (
        "/v2/trace/setting",
        "/v2/models/m_INT32/trace/setting",
        "/v2/models/nobody/trace/setting",
        "/v2/logging",
    ):
        yield HttpCase(f"GET {path}", path, method="GET")
        yield HttpCase(f"{path}, no JSON", path, body=b"{")
    for told in (
        {}, {"trace_rate": "5"}, {"trace_rate": 5}, {"trace_rate": "many"}, {"trace_count": "7"}, {"trace_count": "-2"},
        {"trace_level": "OFF"}, {"nothing": "1"},
        {"trace_file": "/tmp/x"}, {"trace_rate": None}, {"trace_level": None}, {"trace_level": ["OFF"]},
        {"trace_rate": "1000"}, {"trace_count": "-1"}, [], {"log_frequency": "0"},
        {"log_frequency": "3"}, {"log_frequency": 3}, {"log_frequency": "few"}, {"log_frequency": "-1"},
        {"log_frequency": None},
    ):  # fmt: skip
        yield HttpCase(f"trace {told}", "/v2/trace/setting", body=json.dumps(told).encode())
        yield HttpCase(f"trace of a model {told}", "/v2/models/m_INT32/trace/setting", body=json.dumps(told).encode())
    for told in (
        {}, {"log_verbose_level": 1}, {"log_verbose_level": 0}, {"log_verbose_level": "1"}, {"log_verbose_level": -1},
        {"log_info": False}, {"log_info": True}, {"log_info": 1}, {"log_format": "ISO8601"}, {"log_format": "default"},
        {"log_format": "fancy"}, {"log_file": "/tmp/x"}, {"nothing": 1}, {"log_error": "yes"}, [],
    ):  # fmt: skip
        yield HttpCase(f"log {told}", "/v2/logging", body=json.dumps(told).encode())
