# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What happened in the core and why: its event records as numpy columns, in words, kept in files."""

from workbench.events.event import (
    EVENT_DTYPE,
    BatchReason,
    EventKind,
    ModelState,
    Records,
    SequenceFlag,
    StatusCode,
)
from workbench.events.flows import rows_of
from workbench.events.linked import (
    SequencePlace,
    place_of_event,
    places_of_requests,
    sequence_label,
    sequence_place,
    sequence_texts,
    steps_of,
)
from workbench.events.recording import Recording, RecordingWriter, Snapshot, frame_of, read_recording
from workbench.events.request_trace import RequestTrace, TracedTensor, trace_of
from workbench.events.room import LARGE_BYTES, room_for, taken, taken_at
from workbench.events.stream import EventColumns, EventNames, batch_of_requests, columns, join, members_of
from workbench.events.trace import chrome_trace, save_chrome_trace
from workbench.events.words import duration, explain_request, words

__all__ = [
    "EVENT_DTYPE",
    "LARGE_BYTES",
    "BatchReason",
    "EventColumns",
    "EventKind",
    "EventNames",
    "ModelState",
    "Recording",
    "RecordingWriter",
    "Records",
    "RequestTrace",
    "SequenceFlag",
    "SequencePlace",
    "Snapshot",
    "StatusCode",
    "TracedTensor",
    "batch_of_requests",
    "chrome_trace",
    "columns",
    "duration",
    "explain_request",
    "frame_of",
    "join",
    "members_of",
    "place_of_event",
    "places_of_requests",
    "read_recording",
    "room_for",
    "rows_of",
    "save_chrome_trace",
    "sequence_label",
    "sequence_place",
    "sequence_texts",
    "steps_of",
    "taken",
    "taken_at",
    "trace_of",
    "words",
]
