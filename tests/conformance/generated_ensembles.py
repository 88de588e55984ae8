# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated ensembles: graphs of one to four steps, mostly legal ones, with tensors that are left out, and nested."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from tests.conformance.differential import Case, Group
from tests.conformance.generated import Sent, mostly
from tests.flow import ensemble_text, model_text, step

MEMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "one": (("IN",), ("OUT",), model_text(addend=1)),
    "ten": (("IN",), ("OUT",), model_text(addend=10)),
    "both": (("A", "B"), ("OUT", "OUT2"), model_text(inputs=("A", "B"), outputs=("OUT", "OUT2"))),
    "either": (("A", "B"), ("OUT",), model_text(inputs=("A", "B"), optional=("B",))),
    "silent": (("IN",), ("OUT",), model_text("leave_out")),
    "broken": (("IN",), ("OUT",), model_text("fail")),
    "plain": (("IN",), ("OUT",), model_text(addend=100, max_batch_size=0)),
    "small": (("IN",), ("OUT",), model_text(max_batch_size=2)),
    "any": (("IN",), ("OUT",), model_text(dims="-1")),
    "whole": (("IN",), ("OUT",), model_text(data_type="INT32")),
    "inner": (("IN",), ("OUT",), ensemble_text(step("$one", {"IN": "IN"}, {"OUT": "OUT"}))),
}
"""Inputs, outputs and text of what steps run on."""
USUAL = ["one", "ten", "both", "either", "any", "inner"]
SELDOM = ["silent", "silent", "broken", "plain", "small", "whole"]
# A failed request counts twice there where its steps run one after the other: a row of docs/compatibility.md.
UNCOUNTED = frozenset({"fail"})


@st.composite
def ensemble_cases(draw: st.DrawFn) -> Case:
    known, unused = ["IN", "X"], ["IN"]
    models, steps = [], []
    for number in range(draw(st.integers(1, 4))):
        name = draw(mostly(st.sampled_from(USUAL), st.sampled_from(SELDOM), 7))
        made = [f"{'s' if name == 'silent' else 't'}{number}", f"u{number}"][: len(MEMBERS[name][1])]
        steps.append(draw(one_step(name, known, unused, made)))
        models.append(name)
        known += made
        unused += made
    # What nobody uses is an output, lest it is refused; X is an input where somebody uses it.
    outputs = draw(mostly(st.just(unused), st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True), 20))
    inputs = ("IN", "X") if any('value: "X"' in each for each in steps) else ("IN",)
    optional = ("X",) if "X" in inputs and draw(st.booleans()) else ()
    batch = draw(mostly(st.just(8), st.sampled_from([0, 4]), 8))
    text = ensemble_text(*steps, inputs=inputs, outputs=outputs, optional=optional, max_batch_size=batch)
    # Asked for some outputs alone, the real server does not get through every graph.
    each = sent(inputs, optional, outputs, batch, may_want=len(steps) == 1)
    requests = draw(st.lists(each, min_size=1, max_size=3))
    return Case(text, tuple(Group((one,)) for one in requests), texts=members(models), uncounted=UNCOUNTED)


def members(names: Sequence[str]) -> dict[str, str]:
    """The texts of the models of the steps, those of an ensemble before it."""
    needed = dict.fromkeys([*(["one"] if "inner" in names else []), *names])
    return {name: MEMBERS[name][2] for name in needed}


@st.composite
def one_step(draw: st.DrawFn, name: str, known: Sequence[str], unused: list[str], made: Sequence[str]) -> str:
    """A step on what there is, mostly on what nobody uses yet; now and then with a tensor too few or unheard of."""
    inputs, outputs, _ = MEMBERS[name]
    mapped = {}
    for key in inputs:
        # What may be absent is no input A of `either`: the real server lets its B stand for it.
        sure = [each for each in known if name != "either" or key != "A" or each[0] not in "Xs"]
        usual = st.sampled_from([each for each in unused if each in sure] or sure)
        mapped[key] = draw(mostly(mostly(usual, st.sampled_from(sure), 3), st.just("nowhere"), 60))
        unused[:] = [each for each in unused if each != mapped[key]]
    if len(mapped) > 1 and draw(mostly(st.just(False), st.just(True), 8)):
        del mapped[inputs[1]]
    if draw(mostly(st.just(False), st.just(True), 60)):
        mapped["UNKNOWN"] = known[0]
    return step(f"${name}", mapped, dict(zip(outputs, made, strict=True)))


@st.composite
def sent(
    draw: st.DrawFn,
    inputs: Sequence[str],
    optional: Sequence[str],
    outputs: Sequence[str],
    batch: int,
    *,
    may_want: bool,
) -> Sent:
    rows = draw(mostly(st.integers(1, 3), st.sampled_from([9, 5])))
    shape = (rows, 4) if batch else (4,)
    dropped = draw(st.booleans()) and optional
    arrays = {
        name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape) + 100 * place
        for place, name in enumerate(inputs)
        if not (dropped and name in optional)
    }
    wanted = draw(mostly(st.just(()), st.just(tuple(outputs[:1])), 4)) if may_want else ()
    return Sent(arrays, wanted, request_id=draw(st.sampled_from(["", "r"])))
