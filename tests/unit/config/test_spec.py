# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the core is told of a model."""

import json

from workbench.config import (
    BatchingSpec,
    InstanceSpec,
    ModelSpec,
    QueuePolicySpec,
    TensorSpec,
    batching_spec,
    complete,
    model_spec,
    parse_config,
)


def spec_of(text: str, gpu_count: int = 0) -> ModelSpec:
    config = complete(parse_config(text), name="m", gpu_count=gpu_count)
    return model_spec(config, version=3, path="/models/m")


def test_tensors_bear_the_protocols_type_names() -> None:
    spec = spec_of(
        'backend: "b" max_batch_size: 2\n'
        'input { name: "text" data_type: TYPE_STRING dims: -1 optional: true allow_ragged_batch: true }\n'
        'output { name: "scalar" data_type: TYPE_BF16 dims: 1 reshape { shape: [ ] } }'
    )
    assert spec.inputs == (TensorSpec("text", "BYTES", (-1,), None, optional=True, allow_ragged=True),)
    assert spec.outputs == (TensorSpec("scalar", "BF16", (1,), ()),)


def test_count_makes_one_instance_each() -> None:
    spec = spec_of(
        'backend: "b" instance_group [ { name: "x" count: 2 kind: KIND_CPU }, { kind: KIND_MODEL passive: true } ]'
    )
    assert spec.instances == (
        InstanceSpec("x_0", "CPU", 0, passive=False, host_policy="cpu"),
        InstanceSpec("x_1", "CPU", 0, passive=False, host_policy="cpu"),
        InstanceSpec("m_1_0", "MODEL", 0, passive=True, host_policy="model"),
    )


def test_count_is_per_gpu() -> None:
    spec = spec_of('backend: "b" instance_group { name: "x" count: 2 kind: KIND_GPU }', gpu_count=2)
    assert [(one.name, one.device_id, one.host_policy) for one in spec.instances] == [
        ("x_0", 0, "gpu_0"),
        ("x_1", 0, "gpu_0"),
        ("x_2", 1, "gpu_1"),
        ("x_3", 1, "gpu_1"),
    ]


def test_batching_is_plain_numbers_with_nanoseconds() -> None:
    config = parse_config(
        "max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 4, 8 ] max_queue_delay_microseconds: 100\n"
        "priority_levels: 2 default_priority_level: 2 default_queue_policy { max_queue_size: 5 }\n"
        "priority_queue_policy { key: 1 value { timeout_action: DELAY default_timeout_microseconds: 7 } } }"
    )
    assert batching_spec(config) == BatchingSpec(
        dynamic=True,
        preferred_batch_size=(4, 8),
        max_queue_delay_ns=100_000,
        priority_levels=2,
        default_priority_level=2,
        default_policy=QueuePolicySpec(max_queue_size=5),
        level_policies={1: QueuePolicySpec(timeout_action="DELAY", default_timeout_us=7)},
    )


def test_model_without_scheduler_does_not_batch_dynamically() -> None:
    assert spec_of('backend: "b" max_batch_size: 8').batching == BatchingSpec()


def test_longest_delay_fits_the_clock() -> None:
    config = parse_config("dynamic_batching { max_queue_delay_microseconds: 18446744073709551615 }")
    assert batching_spec(config).max_queue_delay_ns == 2**63 - 1


def test_configuration_travels_as_json() -> None:
    spec = spec_of('backend: "b" max_batch_size: 8 model_transaction_policy { decoupled: true }')
    assert (spec.name, spec.version, spec.path, spec.backend, spec.decoupled) == ("m", 3, "/models/m", "b", True)
    assert json.loads(spec.config_json)["max_batch_size"] == 8


def test_spec_tells_how_the_model_is_observed() -> None:
    config = parse_config(
        """
        name: "m" backend: "echo"
        metric_tags { key: "team" value: "blue" }
        metric_tags { key: "area" value: "7" }
        response_cache { enable: true }
        model_metrics { metric_control {
          metric_identifier { family: "nv_inference_first_response_histogram_ms" }
          histogram_options { buckets: [ 10, 5 ] }
        } }
        """
    )
    spec = model_spec(config, version=1, path="m")
    assert spec.metric_tags == (("_area", "7"), ("_team", "blue"))
    assert spec.first_response_buckets_ms == (5.0, 10.0)
    assert spec.response_cache


def test_spec_tells_what_an_instance_is_made_for() -> None:
    config = parse_config(
        """
        name: "m" backend: "echo"
        output { name: "OUT" data_type: TYPE_FP32 dims: 2 }
        instance_group { name: "m" count: 1 kind: KIND_CPU profile: [ "low", "high" ]
          secondary_devices { kind: KIND_NVDLA device_id: 1 } }
        """
    )
    spec = model_spec(config, version=1, path="m", labels={"OUT": ("cat", "dog")})
    assert spec.instances[0].profiles == ("low", "high")
    assert spec.instances[0].secondary_devices == (("KIND_NVDLA", 1),)
    assert spec.outputs[0].labels == ("cat", "dog")
