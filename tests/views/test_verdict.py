# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from workbench.views.batching import BatchSizes
from workbench.views.latency import Latency, Split
from workbench.views.verdict import verdict
from workbench.views.view import Totals


def totals(*, reason=4, queue=6.0, compute=2.0, wait_share=0.0, busy=(0.4, 0.4), **more):
    counts = tuple(100 if code == reason else 0 for code in range(10))
    return Totals(
        covered_s=10.0,
        answered_per_s=100.0,
        offered_per_s=100.0,
        latency=Latency(count=1_000, p50_ns=8e6, p99_ns=9e6, max_ns=9e6),
        split=Split(queue_ns=queue * 1e6, compute_ns=compute * 1e6),
        sizes=BatchSizes(by_reason=counts, mean_rows=3.1),
        instance_wait_share=wait_share,
        busy=busy,
        **more,
    )


def test_a_long_queue_delay_is_named_as_the_cause(facts):
    assert verdict(totals(), facts) == (
        "Requests spend 75 % of 8 ms waiting for their batch: "
        "most batches leave only when the queue delay ends, with 3.1 of 8 rows."
    )


def test_busy_instances_are_named_as_the_cause(facts):
    said = verdict(totals(reason=2, wait_share=0.9, busy=(0.99, 0.97)), facts)
    assert "waiting for a free instance: they are busy 98 % of the time" in said


def test_bursts_are_named_where_idle_instances_still_make_requests_wait(facts):
    assert "the load comes in bursts" in verdict(totals(wait_share=0.9), facts)


def test_a_machine_without_free_processors_is_suspected_where_instances_hardly_work(facts):
    assert "no free processor" in verdict(totals(wait_share=0.9, busy=(0.01, 0.02)), facts)


def test_compute_is_named_where_it_takes_most(facts):
    said = verdict(totals(queue=1.0, compute=9.0, reason=2), facts)
    assert (
        said
        == "Requests spend 90 % of 10 ms in compute. An execution is shared by 3.1 of 8 rows: most batches leave full."
    )


def test_compute_of_a_model_that_does_not_batch_is_shared_by_nobody(facts):
    said = verdict(totals(queue=1.0, compute=9.0, reason=0), replace(facts, max_batch_size=0))
    assert said == "Requests spend 90 % of 10 ms in compute."


def test_a_model_that_takes_no_requests_says_how_to_load_it(facts):
    assert "UNAVAILABLE: load it with server.load('m')" in verdict(totals(), replace(facts, state="UNAVAILABLE"))


def test_refusals_come_first(facts):
    assert verdict(totals(refused_per_s=25.0), facts).startswith("25 % of the requests are refused.")


def test_failures_come_before_all(facts):
    assert verdict(totals(failed_per_s=100.0, refused_per_s=25.0), facts).startswith("50 % fail.")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "%drive m"),
        ({"refused_per_s": 5.0}, "Every request is refused."),
        ({"failed_per_s": 5.0}, "Every request fails."),
    ],
)
def test_without_answers_it_says_what_is_the_matter(facts, more, words):
    assert words in verdict(Totals(covered_s=10.0, **more), facts)
