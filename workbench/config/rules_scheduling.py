# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of batching, priorities, ordering and the response cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workbench.config.message import ModelConfig, ModelQueuePolicy, enum_name
from workbench.config.rule import Problem, Rule, size_problem

_DYNAMIC: Final = "dynamic_batching"


def max_batch_size_is_not_negative(config: ModelConfig) -> Iterator[Problem]:
    """A model batches up to max_batch_size, or not at all (0)."""
    if config.max_batch_size < 0:
        yield Problem(
            "max_batch_size", f"max_batch_size is {config.max_batch_size}", "use 0 for a model without batching"
        )


def preferred_sizes_fit(config: ModelConfig) -> Iterator[Problem]:
    """Each preferred size lies within 1 and max_batch_size."""
    sizes = {
        f"{_DYNAMIC}.preferred_batch_size": config.dynamic_batching.preferred_batch_size,
        "sequence_batching.oldest.preferred_batch_size": config.sequence_batching.oldest.preferred_batch_size,
    }
    for path, values in sizes.items():
        for index, size in enumerate(values):
            if problem := size_problem(f"{path}[{index}]", size, config.max_batch_size):
                yield problem


def default_priority_is_a_level(config: ModelConfig) -> Iterator[Problem]:
    """With priority levels, the default is one of them."""
    batching = config.dynamic_batching
    levels, default = batching.priority_levels, batching.default_priority_level
    if levels and not 1 <= default <= levels:
        yield Problem(
            f"{_DYNAMIC}.default_priority_level",
            f"default_priority_level is {default}, but the levels go from 1 to {levels}",
            f"set it to one of 1 to {levels}; 1 is served first",
        )


def policies_belong_to_levels(config: ModelConfig) -> Iterator[Problem]:
    """With priority levels, a queue policy is for one of them."""
    levels = config.dynamic_batching.priority_levels
    for level in config.dynamic_batching.priority_queue_policy:
        if levels and not 1 <= level <= levels:
            yield Problem(
                f"{_DYNAMIC}.priority_queue_policy[{level}]",
                f"there is no priority level {level}: the levels go from 1 to {levels}",
                f"use a key from 1 to {levels}, or raise priority_levels",
            )


def ordering_allows_one_level(config: ModelConfig) -> Iterator[Problem]:
    """Responses cannot keep the order of arrival when requests overtake each other."""
    batching = config.dynamic_batching
    if batching.preserve_ordering and batching.priority_levels > 1:
        yield Problem(
            f"{_DYNAMIC}.preserve_ordering",
            f"preserve_ordering excludes priorities, but priority_levels is {batching.priority_levels}",
            "keep one of the two: drop preserve_ordering, or use one level",
        )


def ordering_allows_no_delay(config: ModelConfig) -> Iterator[Problem]:
    """A request that is put off by its timeout would break the order."""
    if not config.dynamic_batching.preserve_ordering:
        return
    for path, policy in _queue_policies(config):
        action = enum_name("ModelQueuePolicy.TimeoutAction", policy.timeout_action)
        if action == "DELAY" and policy.default_timeout_microseconds:
            yield Problem(
                f"{path}.timeout_action",
                "preserve_ordering excludes the timeout action DELAY, which lets later requests pass",
                "use REJECT, or drop preserve_ordering",
            )


def _queue_policies(config: ModelConfig) -> Iterator[tuple[str, ModelQueuePolicy]]:
    batching = config.dynamic_batching
    if batching.HasField("default_queue_policy"):
        yield f"{_DYNAMIC}.default_queue_policy", batching.default_queue_policy
    for level in sorted(batching.priority_queue_policy):
        yield f"{_DYNAMIC}.priority_queue_policy[{level}]", batching.priority_queue_policy[level]


def cache_excludes_sequences(config: ModelConfig) -> Iterator[Problem]:
    """The answer to a request of a sequence depends on those before it."""
    if config.response_cache.enable and config.HasField("sequence_batching"):
        yield Problem(
            "response_cache.enable",
            "the response cache cannot serve a model with sequence_batching: its answers depend on earlier requests",
            "remove response_cache",
        )


def cache_excludes_decoupled(config: ModelConfig) -> Iterator[Problem]:
    """The cache keeps one response for a request."""
    if config.response_cache.enable and config.model_transaction_policy.decoupled:
        yield Problem(
            "response_cache.enable",
            "the response cache cannot serve a decoupled model: it keeps one response for a request",
            "remove response_cache",
        )


RULES: Final[tuple[Rule, ...]] = (
    max_batch_size_is_not_negative,
    preferred_sizes_fit,
    default_priority_is_a_level,
    policies_belong_to_levels,
    ordering_allows_one_level,
    ordering_allows_no_delay,
    cache_excludes_sequences,
    cache_excludes_decoupled,
)
