# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model to tune in virtual time."""

from __future__ import annotations

from typing import Final

from workbench.config import parse_config, write_config
from workbench.errors import LoadError
from workbench.sweep import Candidate, tuned_config
from workbench.testing.fake_target import FakeTarget

_PLAIN: Final = Candidate(1, (), 0, 1)
_CONFIG: Final = """
name: "fake"
backend: "fake"
max_batch_size: 1
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
instance_group [ { name: "fake_0" count: 1 kind: KIND_CPU } ]
"""


class FakeTunable:
    """Serves in virtual time as its candidate says; a batch of b takes `fixed_ns + b * row_ns`.

    Args:
        base: the configuration before the sweep.
        most_instances: more of them than this are refused.
    """

    def __init__(
        self,
        base: Candidate = _PLAIN,
        *,
        fixed_ns: int = 1_000_000,
        row_ns: int = 100_000,
        most_instances: int = 8,
    ) -> None:
        self.name = "fake"
        self.base = base
        self.fixed_ns = fixed_ns
        self.row_ns = row_ns
        self.most_instances = most_instances
        self.applied: list[Candidate] = []
        self._serve(base)

    @property
    def config(self) -> str:
        """Text of what serves now."""
        return self.config_of(self.serving)

    def objection(self, candidate: Candidate) -> str:  # noqa: ARG002 - this server runs anything
        """Nothing."""
        return ""

    def config_of(self, candidate: Candidate) -> str:
        """Text of the candidate's configuration."""
        return write_config(tuned_config(parse_config(_CONFIG), candidate))

    def memory_bytes(self) -> int:
        """A thousand bytes for each instance."""
        return 1000 * self.serving.count

    def apply(self, candidate: Candidate) -> None:
        """Serves as the candidate."""
        if candidate.count > self.most_instances:
            raise LoadError(f"no memory for {candidate.count} instances")
        self.applied.append(candidate)
        self._serve(candidate)

    def restore(self) -> None:
        """Serves as before."""
        self._serve(self.base)

    def _serve(self, candidate: Candidate) -> None:
        self.serving = candidate
        self.target = FakeTarget(
            fixed_ns=self.fixed_ns,
            row_ns=self.row_ns,
            max_batch_size=candidate.max_batch_size,
            instances=candidate.count,
            max_queue_delay_ns=candidate.max_queue_delay_microseconds * 1000,
        )
