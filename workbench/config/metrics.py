# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a configuration says of the model's metrics."""

from __future__ import annotations

from workbench.config.message import ModelConfig


def metric_tags(config: ModelConfig) -> tuple[tuple[str, str], ...]:
    """Further labels of its metrics, by name; an underscore sets them apart from the server's own."""
    return tuple(sorted((f"_{name}", value) for name, value in config.metric_tags.items()))


def first_response_buckets_ms(config: ModelConfig) -> tuple[float, ...]:
    """Upper bounds of the histogram of first responses, milliseconds, ascending; none: the server's."""
    for control in config.model_metrics.metric_control:
        if control.metric_identifier.family == "nv_inference_first_response_histogram_ms":
            return tuple(sorted(set(control.histogram_options.buckets)))
    return ()
