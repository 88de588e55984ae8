# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated models of sequences, and requests of several sequences, of which some break the rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.conformance.both_servers import Answer
from tests.conformance.differential import Case, Group
from tests.conformance.generated import Sent, mostly

FLAGS = {
    "int32": "int32_false_true: [ 0, 1 ]",
    "fp32": "fp32_false_true: [ 0, 1 ]",
    "bool": "bool_false_true: [ false, true ]",
    "odd": "int32_false_true: [ 3, 1 ]",
    "wrong": "int32_false_true: [ 1 ]",
}
STATE = """state { input_name: "SUM_IN" output_name: "SUM_OUT" data_type: TYPE_INT32 dims: [ 1 ]
initial_state { name: "begin" data_type: TYPE_INT32 dims: [ 1 ] %s } %s }
"""
UNCOUNTED = frozenset({"execution_count", "batches"})
LOOSE_FIELDS = (4, 5)
"""Of SEEN: the place in the batch, and how many requests are in it."""


@st.composite
def control_inputs(draw: st.DrawFn, id_type: str, needed: set[str]) -> str:
    """Those that the backend needs, and some others, each of a type of its own."""
    named = needed | draw(st.sets(st.sampled_from(["START", "END", "READY"])))
    rows = [_control(name, draw(usual_types if name in needed else all_types)) for name in sorted(named)]
    if id_type:
        kind = f"kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_{id_type}"
        rows.append(f'{{ name: "CORRID" control [ {{ {kind} }} ] }}')
    return f"control_input [ {', '.join(rows)} ]\n" if rows else ""


usual_types = st.sampled_from(["int32", "fp32", "bool"])
all_types = mostly(usual_types, mostly(st.just("odd"), st.just("wrong"), 3), 8)


def _control(name: str, flags: str) -> str:
    return f'{{ name: "{name}" control [ {{ kind: CONTROL_SEQUENCE_{name} {FLAGS[flags]} }} ] }}'


@st.composite
def strategies_(draw: st.DrawFn, slots: int) -> str:
    if draw(st.booleans()):
        return draw(st.sampled_from(["", "direct { }", "direct { max_queue_delay_microseconds: 2000 }"]))
    rest = draw(st.sampled_from(["", "preferred_batch_size: [ 2 ]", "max_queue_delay_microseconds: 2000"]))
    return f"oldest {{ max_candidate_sequences: {draw(mostly(st.just(slots), st.just(0), 25))} {rest} }}"


@st.composite
def sequence_cases(draw: st.DrawFn) -> Case:
    """A model that adds up, in its own memory or in a state; requests one by one or several at once."""
    max_batch_size = draw(st.sampled_from([0, 1, 4, 4]))
    id_type = draw(mostly(st.sampled_from(["", "UINT64", "INT64", "UINT32", "INT32", "STRING"]), st.just("FP32"), 30))
    strategy = draw(strategies_(max(max_batch_size, 1)))
    has_state = "oldest" in strategy or draw(st.booleans())
    state = STATE % draw(st.tuples(state_beginnings, st.sampled_from(["", "use_same_buffer_for_input_output: true"])))
    # The backend's own memory begins with START; it must not take a gap for a request.
    needed = {"START", "READY"} if not has_state else {"READY"}
    sequence = draw(control_inputs(id_type, needed)) + strategy + (state if has_state else "")
    text = f"""backend: "{"remembers" if has_state else "accumulates"}" max_batch_size: {max_batch_size}
    input [ {{ name: "IN" data_type: TYPE_INT32 dims: [ 2 ] }} ]
    output [ {{ name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }}, {{ name: "SEEN" data_type: TYPE_INT32 dims: [ 6 ] }} ]
    instance_group [ {{ kind: KIND_CPU count: 1 }} ]
    sequence_batching {{ {sequence} }}
    """
    groups = draw(st.lists(groups_of(max_batch_size, is_text=id_type == "STRING"), min_size=1, max_size=4))
    files = {"initial_state/seven": np.array([7], np.int32).tobytes()}
    sent = tuple(group for each in groups for group in each)
    uncounted = UNCOUNTED if any(len(group.requests) > 1 for group in sent) else frozenset()
    return Case(text, sent, files=files, loosens=loosely, uncounted=uncounted)


state_beginnings = st.sampled_from(["zero_data: true", 'data_file: "seven"'])


@st.composite
def groups_of(draw: st.DrawFn, max_batch_size: int, *, is_text: bool) -> list[Group]:
    """Whole sequences, interleaved: no more at a time than there are slots, and mostly right ones."""
    names = draw(st.lists(st.integers(1, 6), min_size=1, max_size=max(max_batch_size, 1), unique=True))
    waiting = [draw(one_sequence(name, max_batch_size, is_text=is_text)) for name in names]
    sent: list[Sent] = []
    while any(waiting):
        sent.append(draw(st.sampled_from([steps for steps in waiting if steps])).pop(0))
    if max_batch_size > 0 and draw(mostly(st.just(False), st.just(True), 3)) and all(map(is_regular, sent)):
        return [Group(tuple(sent))]
    return [Group((one,)) for one in sent]


def is_regular(sent: Sent) -> bool:
    return bool(sent.sequence_id) and "IN" in sent.inputs and sent.inputs["IN"].shape in {(1, 2), (2,)}


@st.composite
def one_sequence(draw: st.DrawFn, name: int, max_batch_size: int, *, is_text: bool) -> list[Sent]:
    """Some requests from START to END; now and then one of them lacks, or comes twice."""
    length = draw(st.integers(1, 4))
    steps = [
        Sent(_inputs(draw(st.integers(1, 9)), max_batch_size), sequence_id=f"s{name}" if is_text else name)
        for _ in range(length)
    ]
    steps[0] = replace(steps[0], start=True)
    steps[-1] = replace(steps[-1], end=True)
    fault = draw(mostly(st.just(""), st.sampled_from(["no start", "end twice", "no end", "start twice", "odd"]), 4))
    return broken(steps, fault, max_batch_size, draw)


def broken(steps: list[Sent], fault: str, max_batch_size: int, draw: st.DrawFn) -> list[Sent]:
    if fault == "no start":
        steps[0] = replace(steps[0], start=False)
    elif fault == "end twice":
        steps.append(steps[-1] if not steps[-1].start else replace(steps[-1], start=False))
    elif fault == "no end":
        # Closed in the end, lest the slot stays taken.
        steps = [*(replace(each, end=False) for each in steps), replace(steps[-1], start=False, end=True)]
    elif fault == "start twice":
        steps = [steps[0], *steps] if not steps[0].end else steps
    elif fault == "odd":
        rows = np.zeros((2, 2), np.int32)
        odd = [replace(steps[0], sequence_id=0), replace(steps[0], inputs={"IN": rows}), replace(steps[0], inputs={})]
        steps = [draw(st.sampled_from(odd)), *steps]
    return steps


def _inputs(value: int, max_batch_size: int) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
    row = np.array([value, 0], np.int32)
    return {"IN": row.reshape(1, 2) if max_batch_size > 0 else row}


def loosely(answer: Answer) -> Answer:
    """Without the place in a batch and the size of it."""
    if "SEEN" not in answer.outputs:
        return answer
    datatype, shape, raw = answer.outputs["SEEN"]
    numbers = np.frombuffer(raw, np.int32).copy()
    numbers[list(LOOSE_FIELDS)] = 0
    return replace(answer, outputs={**answer.outputs, "SEEN": (datatype, shape, numbers.tobytes())})
