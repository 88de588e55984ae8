# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server with the real core tells of itself: metrics, statistics, traces, log."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest
from prometheus_client.parser import text_string_to_metric_families

import workbench as wb
from workbench.events import save_chrome_trace
from workbench.server import log_settings

X = np.arange(4, dtype=np.float32).reshape(1, 4)
MESSENGER = """
#include <workbench/backend.hpp>

struct Messenger {
  void Execute(workbench::Request& request) {
    TRITONSERVER_LogMessage(TRITONSERVER_LOG_WARN, "messenger.cc", 12, "one request");
    request.output("OUTPUT0").Write(request.input("INPUT0").as<float>(), request.input("INPUT0").shape());
  }
};
WORKBENCH_BACKEND(Messenger)
"""


def samples(page: str) -> dict[tuple[str, str], float]:
    """Values by metric and model."""
    return {
        (sample.name, sample.labels.get("model", "")): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
        if sample.labels.get("reason", "REJECTED") == "REJECTED"
    }


def test_the_page_counts_what_statistics_count(server: wb.Server, identity: Callable[..., Any]) -> None:
    model = identity()
    for _ in range(3):
        model.infer({"INPUT0": X})
    page = server.metrics()
    told = samples(page)
    statistics = model.statistics()
    assert told["nv_inference_request_success_total", "echo"] == statistics.success.count == 3
    assert told["nv_inference_count_total", "echo"] == statistics.inference_count
    assert told["nv_inference_exec_count_total", "echo"] == statistics.execution_count
    assert told["nv_inference_queue_duration_us_total", "echo"] == statistics.queue.ns // 1000
    assert told["nv_inference_pending_request_count", "echo"] == 0
    assert 0 < told["nv_model_load_duration_secs", "echo"] < 60
    assert told["nv_cpu_memory_total_bytes", ""] > told["nv_cpu_memory_used_bytes", ""] > 0
    server.unload("echo")
    server.wait_settled()
    assert ("nv_inference_count_total", "echo") not in samples(server.metrics())


def test_a_server_without_an_event_log_answers_and_counts(tmp_path: Path) -> None:
    tensors = """
    input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    """
    with wb.Server(tmp_path, name="unlogged", event_byte_size=0) as server:
        model = server.load("echo", config=f'backend: "identity" max_batch_size: 8 {tensors}')
        np.testing.assert_array_equal(model.infer({"INPUT0": X})["OUTPUT0"], X)
        assert model.statistics().success.count == 1
        assert len(server.events().requests) == 0


def test_quantiles_are_there_where_they_are_asked_for(tmp_path: Path) -> None:
    config = 'backend: "identity" max_batch_size: 8 metric_tags { key: "team" value: "blue" }'
    tensors = """
    input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    """
    asked = {"summary_latencies": "true", "summary_quantiles": "0.5:0.05,0.9:0.01"}
    with wb.Server(tmp_path, name="quantiles", metrics_config=asked) as server:
        server.load("echo", config=config + tensors).infer({"INPUT0": X})
        families = {family.name: family for family in text_string_to_metric_families(server.metrics())}
    summary = families["nv_inference_request_summary_us"]
    assert summary.type == "summary"
    assert [sample.labels.get("quantile") for sample in summary.samples if "quantile" in sample.labels] == [
        "0.5",
        "0.9",
    ]
    assert {sample.labels["_team"] for sample in summary.samples} == {"blue"}


def test_a_failed_request_is_told_with_its_reason(server: wb.Server) -> None:
    model = server.load(
        "slow",
        config="""
        backend: "synthetic" max_batch_size: 1
        dynamic_batching { default_queue_policy { timeout_action: REJECT default_timeout_microseconds: 1000 } }
        input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
        output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
        parameters [ { key: "tau0_us" value: { string_value: "50000" } } ]
        """,
    )
    one = np.zeros((1, 1), np.float32)
    calls = [model.stream({"INPUT0": one}) for _ in range(4)]
    for replies in calls:
        try:
            list(replies)
        except wb.UnavailableError:
            continue
    failed = model.statistics().failures
    assert failed["REJECTED"] == model.statistics().fail.count
    assert samples(server.metrics())["nv_inference_request_failure_total", "slow"] == failed["REJECTED"]


def test_traces_of_some_requests_go_to_a_file_and_into_the_picture(
    server: wb.Server, identity: Callable[..., Any], tmp_path: Path
) -> None:
    model = identity()
    file = tmp_path / "trace.json"
    server.trace("echo", trace_level=("TIMESTAMPS", "TENSORS"), trace_rate=2, trace_file=str(file))
    for number in range(4):
        model.infer({"INPUT0": X}, request_id=f"r{number}")
    traces = server.traces()
    assert [trace.request_id for trace in traces] == ["r1", "r3"]
    names = [name for name, _ in traces[0].timestamps]
    assert names == [
        "REQUEST_START",
        "QUEUE_START",
        "COMPUTE_START",
        "COMPUTE_INPUT_END",
        "COMPUTE_OUTPUT_START",
        "COMPUTE_END",
        "REQUEST_END",
    ]
    times = [ns for _, ns in traces[0].timestamps]
    assert times == sorted(times)
    assert {tensor.activity for tensor in traces[0].tensors} == {
        "TENSOR_QUEUE_INPUT",
        "TENSOR_BACKEND_INPUT",
        "TENSOR_BACKEND_OUTPUT",
    }
    written = json.loads(file.read_text())
    assert {"name": "INPUT0", "data": "0.0,1.0,2.0,3.0", "shape": "1,4", "dtype": "FP32"} in [
        entry.get("tensor") for entry in written
    ]
    picture = json.loads(save_chrome_trace(server.events(), tmp_path / "chrome.json", traces=traces).read_text())
    assert {slice_["name"] for slice_ in picture["traceEvents"] if slice_.get("cat") == "trace"} >= {
        "request",
        "queue",
        "compute infer",
    }
    server.clear_trace("echo")
    model.infer({"INPUT0": X})
    assert len(server.traces()) == 2


class Listener(logging.Handler):
    """Hands on what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: Queue[logging.LogRecord] = Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.records.put(record)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    logger = logging.getLogger("workbench.backend")
    logger.addHandler(listener)
    yield listener
    logger.removeHandler(listener)


def test_what_a_backend_logs_reaches_python(server: wb.Server, listener: Listener) -> None:
    wb.build_backend("messenger", MESSENGER)
    model = server.load(
        "m",
        config="""
        backend: "messenger"
        input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
        output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
        """,
    )
    model.infer({"INPUT0": X[0]})
    record = listener.records.get(timeout=30)
    assert (record.name, record.levelname) == ("workbench.backend.messenger", "WARNING")
    assert (record.filename, record.lineno, record.getMessage()) == ("messenger.cc", 12, "one request")
    assert server.log_settings(log_warning=False).log_warning is False
    try:
        model.infer({"INPUT0": X[0]})
        server.log_settings(log_warning=True)
        model.infer({"INPUT0": X[0]})
        listener.records.get(timeout=30)
        assert listener.records.empty()
    finally:
        log_settings(log_warning=True)


def test_a_log_file_is_written_beside(server: wb.Server, tmp_path: Path) -> None:
    with pytest.raises(wb.InternalError, match="nowhere"):
        server.log_settings(log_file="/nowhere/at/all")
    with pytest.raises(wb.InvalidArgumentError, match="log_info"):
        server.log_settings(colour="red")
    file = tmp_path / "log.txt"
    try:
        assert server.log_settings(log_file=str(file)).log_file == str(file)
    finally:
        server.log_settings(log_file="")
    assert file.exists()


def test_a_log_file_stays_where_it_was_when_the_notebook_changes_its_folder(
    server: wb.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        assert server.log_settings(log_file="log.txt").log_file == str(tmp_path / "log.txt")
    finally:
        server.log_settings(log_file="")


def test_labels_of_classes_come_from_their_file(server: wb.Server, tmp_path: Path) -> None:
    config = """
    backend: "identity"
    input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] label_filename: "labels.txt" } ]
    """
    (tmp_path / "labelled" / "1").mkdir(parents=True)
    (tmp_path / "labelled" / "config.pbtxt").write_text(config)
    with pytest.raises(wb.LoadError, match=r"labels of output 'OUTPUT0'"):
        server.load("labelled")
    (tmp_path / "labelled" / "labels.txt").write_text("cat\ndog\n")
    server.load("labelled").infer({"INPUT0": X[0]})
