# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A served model and trials, without a server."""

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from workbench.config import parse_config, write_config
from workbench.load import Workload
from workbench.sweep import candidate_of, sweep, tuned_config
from workbench.testing.fake_tunable import FakeTunable

CONFIG = """
name: "m"
backend: "echo"
max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
instance_group [ { name: "m_0" count: 1 kind: KIND_CPU } ]
"""


@dataclass(frozen=True)
class Served:
    name: str
    config: str
    spec: SimpleNamespace
    library: Path


@pytest.fixture
def served(tmp_path):
    """A model with a label file, one version folder and a built backend."""
    folder = tmp_path / "source" / "m"
    (folder / "1").mkdir(parents=True)
    (folder / "1" / "weights.bin").write_bytes(b"weights")
    (folder / "labels.txt").write_text("a\nb\n")
    (folder / "config.pbtxt").write_text("# the file as it was\n" + CONFIG)
    (folder / ".hidden").write_text("x")
    library = tmp_path / "cache" / "libtriton_echo.3f2a.so"
    library.parent.mkdir()
    library.write_bytes(b"\x7fELF")
    return Served("m", CONFIG, SimpleNamespace(path=str(folder), backend="echo"), library)


class TunableText(FakeTunable):
    """Its configuration is text that a server would read."""

    def __init__(self, text):
        self._message = parse_config(text)
        super().__init__(candidate_of(self._message))
        self.name = self._message.name

    @property
    def config(self):
        return write_config(tuned_config(self._message, self.serving))


@pytest.fixture(scope="session")
def study():
    space = {"max_batch_size": [1, 8], "max_queue_delay_microseconds": [0, 500], "count": [1, 2, 9]}
    return sweep(
        TunableText(CONFIG),
        space=space,
        workload=Workload(rate=1500, duration_s=2),
        slo_p99_ms=5,
        strategy="grid",
        progress=False,
    )


@pytest.fixture
def best(study):
    return replace(study.best)
