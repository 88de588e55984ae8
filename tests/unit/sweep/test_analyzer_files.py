# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Files of Model Analyzer and perf_analyzer, as these tools write and read them."""

import math

import pytest

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.sweep import Constraints, SearchSpace, read_analyzer_config, read_analyzer_results

CONFIG = """
profile_models:
  resnet:
    parameters: { concurrency: { start: 1, stop: 9, step: 4 } }
    objectives: { perf_throughput: 10, perf_latency_p99: 5 }
    constraints: { perf_latency_p99: { max: 50 }, perf_throughput: { min: 100 }, gpu_used_memory: { max: 2000 } }
    model_config_parameters:
      max_batch_size: [1, 8]
      dynamic_batching: { max_queue_delay_microseconds: [0, 200], preferred_batch_size: [[4], [4, 8]] }
      instance_group: [ { kind: KIND_GPU, count: [1, 2] } ]
  bert:
"""


@pytest.fixture
def config(tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG)
    return tmp_path / "config.yaml"


def test_a_space_with_objectives_and_constraints_is_read(config):
    search = read_analyzer_config(config, "resnet")
    assert search.space == SearchSpace((1, 8), ((4,), (4, 8)), (0, 200), (1, 2))
    assert search.objective.weights == {"throughput": 10, "p99": 5}
    assert search.constraints == Constraints(throughput=100, memory_bytes=2e9)
    assert search.slo_p99_ms == 50
    assert search.concurrencies == (1, 5, 9)


def test_a_model_without_values_is_searched_as_the_tool_would(config):
    search = read_analyzer_config(config, "bert")
    assert search.space == SearchSpace(max_batch_size=(1, 2, 4, 8, 16, 32, 64, 128), count=(1, 2, 3, 4, 5))
    assert search.objective.title.startswith("highest throughput")
    assert search.slo_p99_ms == math.inf


@pytest.mark.parametrize("models", ["resnet, bert", ["resnet", {"bert": {}}]])
def test_models_may_be_a_list_or_a_line(tmp_path, models):
    (tmp_path / "c.yaml").write_text(f"profile_models: {models}\nrun_config_search_max_instance_count: 2")
    assert read_analyzer_config(tmp_path / "c.yaml", "bert").space.count == (1, 2)


def test_a_model_that_is_not_profiled_is_told_with_those_that_are(config):
    with pytest.raises(NotFoundError, match="resnet, bert"):
        read_analyzer_config(config, "nobody")


@pytest.mark.parametrize("text", ["- 1", "a: [", "profile_models: { m: { objectives: [gpu_utilization] } }"])
def test_what_can_not_be_searched_is_refused(tmp_path, text):
    (tmp_path / "c.yaml").write_text(text)
    with pytest.raises(InvalidArgumentError):
        read_analyzer_config(tmp_path / "c.yaml", "m")


PERF_ANALYZER = """Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,\
Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,p50 latency,\
p90 latency,p95 latency,p99 latency
1,500,10,200,40,50,1600,50,50,1990,2100,2200,2500
128,900,10,200,40,50,1600,50,50,1990,2100,2200,2500
"""


def test_results_of_perf_analyzer_are_read_and_doubted_where_they_break_littles_law(tmp_path):
    (tmp_path / "r.csv").write_text(PERF_ANALYZER)
    one, many = read_analyzer_results(tmp_path / "r.csv")
    assert (one.concurrency, one.throughput, one.p50_ms, one.p99_ms, one.mean_ms) == (1, 500, 1.99, 2.5, 2.0)
    assert one.doubt == ""
    assert many.doubt == "throughput × latency is 1% of the 128 requests in flight"


def test_results_of_model_analyzer_are_read(tmp_path):
    (tmp_path / "r.csv").write_text(
        "Model,Batch,Concurrency,Model Config Path,Throughput (infer/sec),p99 Latency (ms)\n"
        "resnet,1,16,resnet_config_3,1234.5,17.2\n"
    )
    (result,) = read_analyzer_results(tmp_path / "r.csv")
    assert (result.config, result.concurrency) == ("resnet_config_3", 16)
    assert (result.throughput, result.p99_ms) == (1234.5, 17.2)
    assert math.isnan(result.p50_ms)
    assert result.doubt == ""


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n"])
def test_another_file_is_refused(tmp_path, text):
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(InvalidArgumentError, match="neither"):
        read_analyzer_results(tmp_path / "r.csv")
