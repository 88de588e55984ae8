# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Versions of a model: which folders are versions, and which of them a policy serves."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.config import ModelConfig


def version_of(folder: str) -> int | None:
    """The version that a folder's name stands for; None where it is no positive integer without leading zero."""
    if folder.isascii() and folder.isdigit() and not folder.startswith("0"):
        return int(folder)
    return None


def select_versions(config: ModelConfig, available: Sequence[int]) -> tuple[int, ...]:
    """Those of the `available` versions that the configuration's version_policy serves, lowest first."""
    policy = config.version_policy
    choice = policy.WhichOneof("policy_choice")
    versions = sorted(available)
    if choice == "all":
        return tuple(versions)
    if choice == "specific":
        return tuple(version for version in versions if version in set(policy.specific.versions))
    return tuple(versions[-max(policy.latest.num_versions, 1) :])


def describe_policy(config: ModelConfig) -> str:
    """The version_policy in words, for messages."""
    policy = config.version_policy
    choice = policy.WhichOneof("policy_choice")
    if choice == "specific":
        return f"specific versions {', '.join(map(str, policy.specific.versions))}"
    return "all versions" if choice == "all" else f"the latest {max(policy.latest.num_versions, 1)}"
