# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json

import numpy as np
import pytest

from workbench.views import reduce, wire

MS = 1_000_000
S = 1_000_000_000
NOW = 86_400 * 365 * S


@pytest.fixture
def view(make, facts):
    parts = [make.batch(NOW - S + i * MS, waits_ns=[777, 333], serial=i, execute_ns=12_345) for i in range(50)]
    parts.append(make.memory(NOW - S, live=3 << 20, reserved=4 << 20))
    parts.append(make.memory(NOW - S, kind=8))
    return reduce(make.columns(*parts), facts=facts, pools=make.pools, now_ns=NOW, dropped=3)


def tables_of(view):
    header, buffers = wire.message(view, seq=1)
    return header, {
        name: np.frombuffer(buffer, np.float32).reshape(-1, len(columns))
        for (name, columns), buffer in zip(wire.TABLES.items(), buffers, strict=True)
    }


def test_a_header_is_plain_json(view):
    header, _ = wire.message(view, seq=7)
    assert json.loads(json.dumps(header, allow_nan=False))["seq"] == 7


def test_tables_have_the_columns_that_the_browser_is_told(view):
    _, tables = tables_of(view)
    assert {name: len(table) for name, table in tables.items()} == {
        "bins": 100, "batches": 50, "requests": 100, "pools": 200, "chains": 0, "trees": 0, "queues": 0,
    }  # fmt: skip


def test_times_keep_their_microseconds_after_a_year_of_uptime(view):
    header, tables = tables_of(view)
    start, end = (wire.BATCH_COLUMNS.index(name) for name in ("start", "end"))
    lengths = tables["batches"][:, end].astype(np.float64) - tables["batches"][:, start]
    np.testing.assert_allclose(lengths, 12_345e-9, atol=2e-8)
    assert header["base_s"] == pytest.approx((NOW - S) / 1e9, abs=1e-6)


def test_the_figures_carry_words_facts_and_pools(view):
    header, _ = wire.message(view, seq=1)
    assert header["totals"]["sentence"] == view.sentence
    assert header["totals"]["facts"]["headline"].startswith("v1 · READY")
    assert header["totals"]["pools"][0]["name"] == "pinned"
    assert header["dropped"] == 3
    assert header["marks"][0]["words"] == "pinned was full: 0 B fell back"


def test_a_p99_that_is_not_known_is_null(view):
    header, _ = wire.message(view, seq=1)
    assert header["totals"]["latency"]["p99"] is None


def test_a_view_without_anything_is_a_message_too(make, facts):
    header, buffers = wire.message(reduce(make.columns(), facts=facts, now_ns=NOW), seq=1)
    assert (header["batch_total"], header["thinned"]) == (0, False)
    assert [len(buffer) for buffer in buffers[1:]] == [0] * 6


def test_a_packed_message_has_its_tables_at_multiples_of_four(view):
    packed = wire.packed(*wire.message(view, seq=1))
    length = int.from_bytes(packed[:4], "little")
    header = json.loads(packed[4 : 4 + length])
    assert length % 4 == 0
    assert 4 + length + sum(header["sizes"]) == len(packed)


def test_a_request_keeps_its_number_however_large_it_is(make, facts):
    batch = make.batch(1_000 * S, waits_ns=[MS] * 3)
    batch["id"][:3] = 2**40 + np.arange(3)
    view = reduce(make.columns(batch), facts=facts, now_ns=1_001 * S)
    header, buffers = wire.message(view, seq=1)
    table = np.frombuffer(buffers[2], np.float32).reshape(-1, len(wire.REQUEST_COLUMNS))
    serials = header["base_serial"] + table[:, wire.REQUEST_COLUMNS.index("serial")].astype(np.int64)
    assert sorted(serials.tolist()) == [2**40, 2**40 + 1, 2**40 + 2]
