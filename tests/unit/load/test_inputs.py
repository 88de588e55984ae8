# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np

from workbench.config import parse_config
from workbench.load import synthetic_inputs

CONFIG = """
name: "m" backend: "b" max_batch_size: 8
input [
  { name: "TEXT" data_type: TYPE_STRING dims: [ -1 ] },
  { name: "IMAGE" data_type: TYPE_FP32 dims: [ 3, 4 ] },
  { name: "IDS" data_type: TYPE_INT64 dims: [ -1, 2 ] },
  { name: "HINT" data_type: TYPE_BOOL dims: [ 1 ] optional: true }
]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 1 ] } ]
"""


def test_every_required_input_gets_an_array_of_its_declared_type_and_shape():
    inputs = synthetic_inputs(parse_config(CONFIG), rows=2)
    assert {name: (array.dtype, array.shape) for name, array in inputs.items()} == {
        "TEXT": (np.dtype(object), (2, 1)),
        "IMAGE": (np.dtype(np.float32), (2, 3, 4)),
        "IDS": (np.dtype(np.int64), (2, 1, 2)),
    }


def test_a_model_that_does_not_batch_gets_no_batch_dimension():
    inputs = synthetic_inputs(parse_config(CONFIG.replace("max_batch_size: 8", "max_batch_size: 0")))
    assert inputs["IMAGE"].shape == (3, 4)


def test_the_same_seed_makes_the_same_inputs():
    first, second = (synthetic_inputs(parse_config(CONFIG), seed=3) for _ in range(2))
    np.testing.assert_array_equal(first["IMAGE"], second["IMAGE"])
    assert first["TEXT"].tolist() == second["TEXT"].tolist()
