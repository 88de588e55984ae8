# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.conformance.onnx_light_models import EQUAL, run

pytest.importorskip("workbench._native", reason="no core: make build")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

SAMPLE = ("squeezenet", "shufflenet", "inception_v1")


def test_a_sample_of_the_onnx_packages_light_models_gives_the_reference_outputs() -> None:
    assert run(SAMPLE) == dict.fromkeys(sorted(SAMPLE), EQUAL)
