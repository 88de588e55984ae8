# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated ensembles: steps as requests to their models, which share the machine."""

from __future__ import annotations

import pickle

import pytest

import workbench as wb
from workbench.errors import InvalidArgumentError, UnsupportedError
from workbench.simulate import Calibration, EnsembleCalibration, Simulator, predict

TENSORS = """
input [ { name: "X" data_type: TYPE_FP32 dims: [ 1 ] } ] output [ { name: "Y" data_type: TYPE_FP32 dims: [ 1 ] } ]
"""
CHAIN = f"""
name: "chain" platform: "ensemble" max_batch_size: 4 {TENSORS}
ensemble_scheduling {{
  step [
    {{ model_name: "first" model_version: -1
       input_map {{ key: "X" value: "X" }} output_map {{ key: "Y" value: "between" }} }},
    {{ model_name: "second" model_version: -1
       input_map {{ key: "X" value: "between" }} output_map {{ key: "Y" value: "Y" }} }}
  ]
}}
"""
FIRST = f'name: "first" max_batch_size: 4 {TENSORS}'
SECOND = f'name: "second" max_batch_size: 4 dynamic_batching {{ }} {TENSORS}'


def calibration(**of_second: object) -> EnsembleCalibration:
    """The first takes 1 ms for a request; the second 3 ms for a batch of any size."""
    models = {
        "first": Calibration(service_ns={1: 1e6}, overhead_ns=1000),
        "second": Calibration(service_ns={1: 3e6, 4: 3e6}, overhead_ns=2000, **of_second),  # type: ignore[arg-type]
    }
    return EnsembleCalibration(models, {"first": FIRST, "second": SECOND}, "chain")


def at(*times_ms: float) -> wb.Workload:
    return wb.Workload.replay([time / 1e3 for time in times_ms])


def test_a_step_comes_when_the_one_before_it_is_done() -> None:
    # first: 0-1, 1-2, 2-3 ms; second: 1-4 alone, then those that came at 2 and 3 together, 4-7.
    told = wb.simulate(CHAIN, calibration(), at(0, 0.5, 1), warmup=0, keep_records=True)
    assert (told.records["latency_ns"] - 3000).tolist() == [4_000_000, 6_500_000, 6_000_000]
    assert told.overhead_ns == 3000
    assert dict(told.models["first"].batches) == {1: 3}
    assert dict(told.models["second"].batches) == {1: 1, 2: 1}
    assert told.models["second"].queue_ns == pytest.approx((0 + 2e6 + 1e6) / 3)
    assert told.models["second"].service_ns == 3e6
    assert told.queue_ns == pytest.approx(told.models["first"].queue_ns + told.models["second"].queue_ns)


def test_what_if_a_model_of_a_step_were_configured_otherwise() -> None:
    one_by_one = SECOND.replace("dynamic_batching { }", "")
    told = wb.simulate(CHAIN, calibration(), at(0, 0.5, 1), models={"second": one_by_one}, warmup=0, keep_records=True)
    assert dict(told.models["second"].batches) == {1: 3}
    assert (told.records["latency_ns"] - 3000).tolist() == [4_000_000, 6_500_000, 9_000_000]
    with pytest.raises(InvalidArgumentError, match="no step on model third; it has first, second"):
        wb.simulate(CHAIN, calibration(), at(0), models={"third": SECOND})


def test_models_that_compute_slow_each_other_down() -> None:
    both = {
        "first": Calibration(service_ns={1: 1e6}, contention={2: 0.5}),
        "second": Calibration(service_ns={1: 1e6}, contention={2: 0.5}),
    }
    shared = EnsembleCalibration(both, {"first": FIRST, "second": SECOND})
    told = wb.simulate(CHAIN, shared, at(0, 0.5), warmup=0, keep_records=True)
    # Until 1 ms alone; then the second request's first step beside the first request's second one, both until 3.
    assert told.records["latency_ns"].tolist() == [3_000_000, 3_500_000]


def test_the_same_seed_tells_the_same_to_the_last_bit() -> None:
    varied = calibration(spread=(0.9, 1.0, 1.1))
    first = predict(CHAIN, varied, rate=500, requests=20_000)
    assert first == predict(CHAIN, varied, rate=500, requests=20_000)
    elsewhere = pickle.loads(pickle.dumps(Simulator(varied)))
    assert elsewhere(wb.parse_config(CHAIN), wb.Workload.poisson(rate=500, requests=20_000)).p99_ns == first.p99_ns
    assert first.mean_ns == pytest.approx(sum(step.mean_ns for step in first.models.values()) + 3000)
    assert "step second" in first._repr_html_()


def test_a_closed_loop_keeps_so_many_in_flight() -> None:
    told = wb.simulate(CHAIN, calibration(), wb.Workload.closed(concurrency=1, requests=1000))
    assert told.mean_ns == pytest.approx(4_003_000)
    assert told.throughput == pytest.approx(1e9 / 4_003_000, rel=1e-3)


def test_what_is_not_simulated_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="calibrate it as a whole"):
        wb.simulate(CHAIN, Calibration(service_ns={1: 1e6}), at(0))
    with pytest.raises(InvalidArgumentError, match="is no ensemble"):
        wb.simulate(FIRST, calibration(), at(0))
    sequenced = f'name: "second" max_batch_size: 4 sequence_batching {{ }} {TENSORS}'
    with pytest.raises(UnsupportedError, match="'second' has sequences"):
        wb.simulate(CHAIN, calibration(), at(0), models={"second": sequenced})
    decoupled = SECOND + " model_transaction_policy { decoupled: true }"
    with pytest.raises(UnsupportedError, match="answers any number of times"):
        wb.simulate(CHAIN, calibration(), at(0), models={"second": decoupled})
    with pytest.raises(UnsupportedError, match="'second' is an ensemble itself"):
        wb.simulate(CHAIN, calibration(), at(0), models={"second": CHAIN})
    alone = EnsembleCalibration({"first": Calibration(service_ns={1: 1e6})}, {"first": FIRST})
    with pytest.raises(InvalidArgumentError, match="no calibration of second"):
        wb.simulate(CHAIN, alone, at(0))


def test_its_calibration_can_be_stored() -> None:
    again = EnsembleCalibration.from_mapping(calibration().to_mapping())
    assert again == calibration()
    assert pickle.loads(pickle.dumps(again)) == again
    with pytest.raises(InvalidArgumentError, match="no calibration of an ensemble"):
        EnsembleCalibration.from_mapping({"models": {}})
