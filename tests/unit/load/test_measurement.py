# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import math
import re

import numpy as np
import pytest

from workbench.load import RECORD_DTYPE, Workload, measure, measurement_of
from workbench.load.records import OBSERVATION_DTYPE
from workbench.testing.fake_target import FakeDuration, FakeStatistics, FakeTarget

NOTHING = FakeStatistics()


def records_of(*rows):
    return np.array([(*row, 0) for row in rows], RECORD_DTYPE)


def reduced(records, *, before=NOTHING, after=NOTHING, workload=None, warmup_s=0.0):
    observations = np.zeros(0, OBSERVATION_DTYPE)
    workload = workload or Workload(rate=100)
    return measurement_of("m", workload, records, observations, before=before, after=after, warmup_s=warmup_s)


def test_latency_runs_from_the_intended_time():
    measured = reduced(records_of((0, 0, 1_000_000, 0), (1_000_000, 9_000_000, 10_000_000, 0)))
    assert measured.latency.p99.value == 9_000_000
    assert measured.lateness_p99_ns == pytest.approx(8_000_000, rel=0.02)


def test_failed_and_unanswered_requests_are_counted_and_not_timed():
    measured = reduced(records_of((0, 0, 10, 0), (1000, 1000, 9_000_000, 5), (2000, 2000, 0, 0)))
    assert measured.errors == {"UNAVAILABLE": 1}
    assert measured.unanswered == 1
    assert measured.latency.p999.value == 10


def test_requests_of_the_warm_up_do_not_count():
    rows = [(i * 1_000_000, i * 1_000_000, i * 1_000_000 + (50 if i < 10 else 1) * 1000, 0) for i in range(100)]
    assert reduced(records_of(*rows), warmup_s=0.01).latency.p999.value == 1000


def test_batches_and_split_are_the_difference_of_the_statistics():
    before = FakeStatistics(success=FakeDuration(10, 0), queue=FakeDuration(10, 1000), batches={1: 10})
    after = FakeStatistics(success=FakeDuration(14, 0), queue=FakeDuration(14, 9000), batches={1: 10, 4: 1})
    measured = reduced(records_of((0, 0, 10, 0)), before=before, after=after)
    assert measured.batches == {4: 1}
    assert measured.mean_batch_size == 4
    assert measured.split.queue_ns == 2000


def test_a_model_that_served_nothing_has_no_mean_batch():
    assert math.isnan(reduced(records_of((0, 0, 0, 0))).mean_batch_size)


def test_a_table_and_a_frame_tell_the_same_facts():
    measured = measure(FakeTarget(), Workload(rate=500, duration_s=4))
    frame = measured.to_frame()
    assert frame.loc[0, "p99_ms"] == measured.p99_ms
    assert frame.loc[0, "p99_low_ms"] <= measured.p99_ms <= frame.loc[0, "p99_high_ms"]
    html = measured._repr_html_()
    assert "steady" in html
    assert "500 requests/s" in html


def test_a_flagged_measurement_says_why_in_words():
    measured = measure(FakeTarget(), Workload(rate=1500, duration_s=4))
    assert measured.verdict == "flagged"
    assert "the queue grew" in str(measured)
    assert "the queue grew" in measured._repr_html_()


def test_single_latencies_are_at_hand():
    measured = measure(FakeTarget(), Workload(rate=500, duration_s=4))
    assert np.quantile(measured.latencies_ms(), 0.5) == pytest.approx(measured.p50_ms, rel=0.02)


def test_latencies_make_an_hdr_histogram_that_merges():
    pytest.importorskip("hdrh")
    measured = measure(FakeTarget(fixed_ns=1_000_000), Workload.poisson(rate=600, duration_s=20))
    histogram = measured.histogram()
    count = len(measured.latencies_ms())
    assert histogram.get_total_count() == count
    assert histogram.get_value_at_percentile(99) == pytest.approx(measured.latency.p99.value, rel=0.002)
    histogram.add(measured.histogram())
    assert histogram.get_total_count() == 2 * count


def test_requests_that_failed_flag_the_measurement_and_are_named():
    measured = reduced(
        records_of((0, 0, 1_000_000, 0), (1_000_000, 1_000_000, 2_000_000, 2), (2_000_000, 2_000_000, 0, 0))
    )
    assert not measured.is_steady
    (reason,) = (reason for reason in measured.reasons if "not served" in reason)
    (status,) = measured.errors
    assert reason == f"2 of 3 requests were not served: 1 {status}, 1 unanswered"
    assert reason in str(measured)


def test_where_every_request_failed_no_latency_is_told():
    measured = reduced(records_of((0, 0, 1_000_000, 2), (1_000_000, 1_000_000, 2_000_000, 2)))
    shown = str(measured) + str(measured.table().rows)
    assert not re.search(r"\bnan\b", shown)
    assert "2 of 2 requests were not served" in str(measured)


def test_the_reason_for_a_late_sender_tells_the_figures_that_the_measurement_has():
    """What was due in the window and answered after it is in both."""
    rows = [(i * 1_000_000, i * 1_000_000, i * 1_000_000 + 2_000_000, 0) for i in range(200)]
    rows += [((200 + i) * 1_000_000, (200 + 3 * i) * 1_000_000, (202 + 3 * i) * 1_000_000, 0) for i in range(50)]
    measured = reduced(records_of(*rows))
    (reason,) = (reason for reason in measured.reasons if "sender was late" in reason)
    late, whole = measured.lateness_p99_ns / 1e6, measured.latency.p99.value / 1e6
    assert reason == f"the sender was late: by {late:.1f} ms at its p99, where the latency's is {whole:.1f} ms"
