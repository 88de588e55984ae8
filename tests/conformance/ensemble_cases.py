# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models, ensembles of them, and requests, for both servers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.conformance.side_by_side import Inputs
from tests.flow import DECOUPLED, chain, ensemble_text, model_text, step

ROW = np.array([[1, 2, 3, 4]], np.float32)

MODELS = {
    "one": model_text(addend=1),
    "ten": model_text(addend=10),
    "both": model_text(inputs=("A", "B"), outputs=("OUT", "OUT2")),
    "either": model_text(inputs=("A", "B"), optional=("B",)),
    "silent": model_text("leave_out"),
    "broken": model_text("fail"),
    "repeat": model_text("repeat", extra=DECOUPLED),
    "again": model_text("repeat", extra=DECOUPLED),
    "plain": model_text(addend=100, max_batch_size=0),
    "whole": model_text(data_type="INT32"),
    "wide": model_text(dims="5"),
    "any": model_text(dims="-1"),
    "small": model_text(max_batch_size=2),
    "torn": "max_batch_size: many",
    "nowhere": model_text().replace("flow", "nowhere"),
}

BOTH_OUTPUTS = {"outputs": ("OUT", "OUT2")}
LOADS = {
    "chain": ensemble_text(*chain("one", "ten")),
    "nested": ensemble_text(*chain("chain", "one")),
    "unused tensor": ensemble_text(step("one", {"IN": "IN"}, {"OUT": "t"}), step("ten", {"IN": "IN"}, {"OUT": "OUT"})),
    "unknown model": ensemble_text(*chain("unheard_of")),
    "model with a broken configuration": ensemble_text(*chain("torn")),
    "model without its backend": ensemble_text(*chain("nowhere")),
    "unknown input": ensemble_text(step("one", {"IN": "IN", "X": "IN"}, {"OUT": "OUT"})),
    "unknown output": ensemble_text(step("one", {"IN": "IN"}, {"OUT": "OUT", "Y": "OUT2"}), **BOTH_OUTPUTS),
    "input not mapped": ensemble_text(step("both", {"A": "IN"}, {"OUT": "OUT"})),
    "optional input not mapped": ensemble_text(step("either", {"A": "IN"}, {"OUT": "OUT"})),
    "output not mapped": ensemble_text(step("both", {"A": "IN", "B": "IN"}, {"OUT": "OUT"})),
    "data type": ensemble_text(*chain("whole")),
    "data type between steps": ensemble_text(*chain("one", "whole")),
    "dims": ensemble_text(*chain("wide")),
    "dims between steps": ensemble_text(*chain("one", "wide")),
    "variable dims": ensemble_text(*chain("any")),
    "larger batches": ensemble_text(*chain("small")),
    "model without batching": ensemble_text(*chain("plain")),
    "ensemble without batching": ensemble_text(*chain("one"), max_batch_size=0),
    "ensemble with the batch in its dims": ensemble_text(*chain("one"), max_batch_size=0, dims="-1, 4"),
    "version that is not there": ensemble_text(step("one", {"IN": "IN"}, {"OUT": "OUT"}, version=2)),
    "circle": ensemble_text(
        step("one", {"IN": "y"}, {"OUT": "x"}), step("ten", {"IN": "x"}, {"OUT": "y"}), *chain("any")
    ),
    "itself": ensemble_text(*chain("itself")),
    "decoupled": ensemble_text(*chain("repeat")),
    "decoupled, said so": ensemble_text(*chain("repeat"), extra=DECOUPLED),
    "decoupled by its word alone": ensemble_text(*chain("one"), extra=DECOUPLED),
    "two decoupled steps meet": ensemble_text(
        step("repeat", {"IN": "IN"}, {"OUT": "t"}),
        step("again", {"IN": "IN"}, {"OUT": "u"}),
        step("both", {"A": "t", "B": "u"}, {"OUT": "OUT"}),
    ),
    "decoupled step meets its own child": ensemble_text(
        step("repeat", {"IN": "IN"}, {"OUT": "t"}),
        step("again", {"IN": "t"}, {"OUT": "u"}),
        step("both", {"A": "t", "B": "u"}, {"OUT": "OUT"}),
    ),
    "decoupled step meets the input": ensemble_text(
        step("repeat", {"IN": "IN"}, {"OUT": "t"}), step("both", {"A": "t", "B": "IN"}, {"OUT": "OUT"})
    ),
    "outputs of different origin": ensemble_text(
        step("repeat", {"IN": "IN"}, {"OUT": "OUT"}), step("one", {"IN": "IN"}, {"OUT": "OUT2"}), **BOTH_OUTPUTS
    ),
    "one tensor for two inputs": ensemble_text(step("both", {"A": "IN", "B": "IN"}, {"OUT": "OUT"})),
    "output that a step takes": ensemble_text(
        step("one", {"IN": "IN"}, {"OUT": "t"}), step("ten", {"IN": "t"}, {"OUT": "OUT"}), outputs=("OUT", "t")
    ),
    "left out, required": ensemble_text(
        step("silent", {"IN": "IN"}, {"OUT": "t"}), step("both", {"A": "IN", "B": "t"}, {"OUT": "OUT"})
    ),
    "left out, optional": ensemble_text(
        step("silent", {"IN": "IN"}, {"OUT": "t"}), step("either", {"A": "IN", "B": "t"}, {"OUT": "OUT"})
    ),
    "left out, an output": ensemble_text(*chain("silent")),
    "failing step": ensemble_text(*chain("one", "broken")),
    "failing step deep within": ensemble_text(*chain("failing step", "one")),
    "optional input": ensemble_text(
        step("either", {"A": "IN", "B": "X"}, {"OUT": "OUT"}), inputs=("IN", "X"), optional=("X",)
    ),
    "optional input for a required one": ensemble_text(
        step("both", {"A": "IN", "B": "X"}, {"OUT": "OUT"}), inputs=("IN", "X"), optional=("X",)
    ),
    "two outputs": ensemble_text(
        step("one", {"IN": "IN"}, {"OUT": "OUT"}), step("ten", {"IN": "IN"}, {"OUT": "OUT2"}), **BOTH_OUTPUTS
    ),
}

REQUESTS: dict[str, tuple[str, Inputs, Sequence[str]]] = {
    "a chain": ("chain", {"IN": ROW}, ()),
    "a batch": ("chain", {"IN": np.arange(12, dtype=np.float32).reshape(3, 4)}, ()),
    "too large a batch": ("chain", {"IN": np.zeros((9, 4), np.float32)}, ()),
    "another shape": ("chain", {"IN": np.zeros((1, 5), np.float32)}, ()),
    "no input": ("chain", {}, ()),
    "an ensemble in an ensemble": ("nested", {"IN": ROW}, ()),
    "one of two outputs": ("two outputs", {"IN": ROW}, ("OUT",)),
    "both outputs": ("two outputs", {"IN": ROW}, ()),
    "an output that a step takes": ("output that a step takes", {"IN": ROW}, ()),
    "one tensor for two inputs": ("one tensor for two inputs", {"IN": ROW}, ()),
    "a required tensor left out": ("left out, required", {"IN": ROW}, ()),
    "an optional tensor left out": ("left out, optional", {"IN": ROW}, ()),
    "an output left out": ("left out, an output", {"IN": ROW}, ()),
    "a failing step": ("failing step", {"IN": ROW}, ()),
    "a failing step deep within": ("failing step deep within", {"IN": ROW}, ()),
    "without an optional input": ("optional input", {"IN": ROW}, ()),
    "with an optional input": ("optional input", {"IN": ROW, "X": ROW}, ()),
    "without an input that a step requires": ("optional input for a required one", {"IN": ROW}, ()),
    "a model without batching": ("model without batching", {"IN": ROW}, ()),
    "two rows for a model without batching": ("model without batching", {"IN": np.zeros((2, 4), np.float32)}, ()),
    "an ensemble without batching": ("ensemble without batching", {"IN": ROW[0]}, ()),
    "an ensemble with the batch in its dims": ("ensemble with the batch in its dims", {"IN": ROW}, ()),
    "a batch of its dims": ("ensemble with the batch in its dims", {"IN": np.zeros((3, 4), np.float32)}, ()),
}
