# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import Any

from workbench.server import Duration, MemoryUsage
from workbench.server.statistics import statistics_of


def duration(count: int, ns: int) -> dict[str, int]:
    return {"count": count, "ns": ns}


COUNTS: dict[str, Any] = {
    **dict.fromkeys(("success", "queue", "compute_input", "compute_infer", "compute_output"), duration(3, 3000)),
    "fail": duration(1, 500),
    "cache_hit": duration(2, 20),
    "cache_miss": duration(0, 0),
    "failures": {"REJECTED": 1, "CANCELED": 0, "BACKEND": 0, "OTHER": 0},
    "inference_count": 3,
    "execution_count": 1,
    "last_inference_ns": 0,
    "batch_stats": [
        {"batch_size": 3, **dict.fromkeys(("compute_input", "compute_infer", "compute_output"), duration(1, 7))}
    ],
    "response_stats": {
        "0": {
            **dict.fromkeys(("compute_infer", "compute_output", "success"), duration(4, 8)),
            **dict.fromkeys(("fail", "empty_response", "cancel"), duration(0, 0)),
        }
    },
    "memory_usage": [{"type": "GPU", "id": 1, "byte_size": 4096}],
}


def test_every_field_of_the_protocol_is_there() -> None:
    statistics = statistics_of("m", 1, COUNTS)
    assert statistics.batches == {3: 1}
    assert statistics.batch_stats[0].compute_infer == Duration(1, 7)
    assert statistics.cache_hit == Duration(2, 20)
    assert statistics.failures["REJECTED"] == 1
    assert statistics.response_stats[0].success == Duration(4, 8)
    assert statistics.memory_usage == (MemoryUsage("GPU", 1, 4096),)


def test_the_picture_tells_what_there_is_to_tell() -> None:
    told = str(statistics_of("m", 1, COUNTS))
    for part in ("cache_hit", "batch of 3: compute_infer", "response 1: success", "1 REJECTED", "4,096 B of GPU 1"):
        assert part in told
    assert "cache_miss" not in told
    assert "response 1: cancel" not in told


def test_counts_of_a_core_that_tells_less_are_zeros() -> None:
    few = {
        name: COUNTS[name] for name in COUNTS if name not in {"cache_hit", "response_stats", "memory_usage", "failures"}
    }
    statistics = statistics_of("m", 1, few)
    assert statistics.cache_hit == Duration(0, 0)
    assert statistics.response_stats == ()
