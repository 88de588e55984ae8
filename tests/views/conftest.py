# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Made-up events, and a source whose clock stands in the test's hand."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from types import SimpleNamespace

import comm
import numpy as np
import pytest
from comm.base_comm import BaseComm, CommManager

from workbench.events import EVENT_DTYPE, EventNames, columns
from workbench.server import MemoryStatistics, Pool
from workbench.views import ModelFacts

MS = 1_000_000
S = 1_000_000_000

POOLS = (
    Pool("pinned", 0, 0, 0, 16 << 20, 0, 0, 0),
    Pool("pageable", 0, 0, 0, 0, 0, 0, 0),
)


def batch_of(start_ns, *, waits_ns, lane=0, serial=1, reason=4, execute_ns=2 * MS, model=1, status=0):
    """The records of one execution: its requests, and a batch record where there are several."""
    count = len(waits_ns)
    records = np.zeros(count + (count > 1), EVENT_DTYPE)
    records["kind"], records["rows"], records["count"], records["model"] = 1, 1, count, model
    records["arrival_ns"][:count] = [start_ns - wait for wait in waits_ns]
    records["start_ns"], records["end_ns"] = start_ns, start_ns + execute_ns
    records["compute_start_ns"] = start_ns + execute_ns // 10
    records["compute_end_ns"] = start_ns + execute_ns * 9 // 10
    records["batch"], records["instance"], records["detail"], records["status"] = serial, lane, reason, status
    if count > 1:
        records["kind"][-1], records["rows"][-1] = 3, count
        records["arrival_ns"][-1] = start_ns - max(waits_ns)
    return records


def refusals_at(times_ns, *, model=1, status=5):
    records = np.zeros(len(times_ns), EVENT_DTYPE)
    records["kind"], records["model"], records["status"] = 2, model, status
    records["arrival_ns"] = records["end_ns"] = times_ns
    return records


def memory_event(when_ns, *, kind=4, pool=0, live=0, reserved=0):
    record = np.zeros(1, EVENT_DTYPE)
    record["kind"], record["instance"], record["arrival_ns"] = kind, pool, when_ns
    record["compute_end_ns"], record["end_ns"] = live, reserved
    return record


def told(*parts, next_since=0, dropped=0):
    records = np.concatenate(parts) if parts else np.zeros(0, EVENT_DTYPE)
    names = EventNames(models=(("", 0), ("m", 1)), pools=("pinned", "pageable"))
    return columns(records, names=names, next_since=next_since, dropped=dropped)


@dataclass
class HandSource:
    """A source that says what a test puts into it."""

    model: ModelFacts
    time_ns: int = 1_000 * S
    waiting: list = field(default_factory=list)
    dropped: int = 0
    pools: tuple = POOLS
    asked: list = field(default_factory=list)
    changes: list = field(default_factory=list)

    def now_ns(self):
        return self.time_ns

    def facts(self):
        return self.model

    def memory(self):
        return MemoryStatistics(self.pools)

    def events(self, since=0):
        self.asked.append(since)
        parts, self.waiting = self.waiting, []
        dropped, self.dropped = self.dropped, 0
        return told(*parts, next_since=since + sum(map(len, parts)), dropped=dropped)

    def reconfigure(self, **fields):
        self.changes.append(fields)


class HeldComm(BaseComm):
    """Keeps what a widget sends."""

    def __init__(self, *args, **options):
        self.sent = []
        self.arrived = threading.Event()
        super().__init__(*args, **options)

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        if isinstance(data, dict) and data.get("method") == "custom":
            self.sent.append((data["content"], buffers or []))
            self.arrived.set()

    @property
    def wholes(self):
        return [content["is_whole"] for content, _ in self.sent]


@pytest.fixture
def held_comm(monkeypatch):
    manager = CommManager()
    monkeypatch.setattr(comm, "create_comm", HeldComm)
    monkeypatch.setattr(comm, "get_comm_manager", lambda: manager)


@pytest.fixture
def make():
    """Builders of made-up events."""
    return SimpleNamespace(
        batch=batch_of, refusals=refusals_at, memory=memory_event, columns=told, source=HandSource, pools=POOLS
    )


@pytest.fixture
def facts():
    """A model of two instances that batches up to eight rows and waits 2 ms for them."""
    return ModelFacts(
        "m",
        instances=("instance 0", "instance 1"),
        max_batch_size=8,
        dynamic=True,
        max_queue_delay_microseconds=2_000,
        preferred_batch_size=(8,),
        number=1,
    )
