# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.conformance.onnx_nodes import EQUAL, OUTSIDE, run

pytest.importorskip("workbench._native", reason="no core: make build")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_sample_of_the_onnx_packages_node_tests_is_answered_as_by_the_library_itself() -> None:
    found = run(every=13)
    wrong = {what: names for what, names in found.items() if what not in (EQUAL, *OUTSIDE)}
    assert not wrong
    assert len(found[EQUAL]) > 80
