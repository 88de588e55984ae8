# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes of linked spans and of queues by priority, on servers of this machine: for `make.py`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

import workbench as wb
from workbench.views import Source
from workbench.views.source import ModelSource

REPOSITORY: Final = Path(__file__).parents[2] / "model_repository"
SECONDS: Final = 4.0

def text(name: str, *, tau0_us: int, alpha_us: int = 50, max_batch_size: int = 4, count: int = 1, extra: str = "") -> str:
    """A model that takes so long."""
    return f"""name: "{name}" backend: "synthetic" max_batch_size: {max_batch_size}
        input {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }}
        output {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }}
        instance_group {{ count: {count} kind: KIND_CPU }} {extra}
        parameters {{ key: "tau0_us" value {{ string_value: "{tau0_us}" }} }}
        parameters {{ key: "alpha_us" value {{ string_value: "{alpha_us}" }} }}"""


def step(model: str, before: str, after: str) -> str:
    """A step of an ensemble that takes one tensor and gives one."""
    return f"""step {{ model_name: "{model}" model_version: -1
        input_map {{ key: "INPUT0" value: "{before}" }} output_map {{ key: "OUTPUT0" value: "{after}" }} }}"""


ENSEMBLE: Final = f"""name: "photos" platform: "ensemble" max_batch_size: 4
    input {{ name: "IN" data_type: TYPE_FP32 dims: [ 16 ] }} output {{ name: "OUT" data_type: TYPE_FP32 dims: [ 16 ] }}
    ensemble_scheduling {{ {step("resize", "IN", "small")} {step("classify", "small", "scores")} {step("label", "scores", "OUT")} }}"""


@contextmanager
def driven(model: wb.Model, **load: object) -> Iterator[Source]:
    """A model as a source, while load goes to it."""
    driving = threading.Thread(target=wb.drive, args=(model,), kwargs={"duration_s": SECONDS + 1, "warmup": 0.0, **load})
    driving.start()
    yield ModelSource(model)
    driving.join()


@contextmanager
def sequences() -> Iterator[Source]:
    """More sequences than the two instances have slots: some wait for one."""
    with wb.Server(REPOSITORY, name="sequences") as server:
        batching = "sequence_batching { direct { } }"
        model = server.load("dialogue", config=text("dialogue", tau0_us=6_000, max_batch_size=3, count=2, extra=batching))
        with driven(model, rate=250, sequences=wb.Sequences(8, length=6)) as source:
            yield source


@contextmanager
def ensemble() -> Iterator[Source]:
    """Three steps, the second the slow one, in two instances."""
    with wb.Server(REPOSITORY, name="photos") as server:
        dynamic = "dynamic_batching { max_queue_delay_microseconds: 1000 }"
        server.load("resize", config=text("resize", tau0_us=1_500, extra=dynamic))
        server.load("classify", config=text("classify", tau0_us=9_000, count=2, extra=dynamic))
        server.load("label", config=text("label", tau0_us=800, extra=dynamic))
        model = server.load("photos", config=ENSEMBLE)
        with driven(model, rate=150, arrivals="poisson", inputs={"IN": np.zeros((1, 16), np.float32)}) as source:
            yield source


@contextmanager
def priorities() -> Iterator[Source]:
    """Few requests of priority 1 overtake many of priority 3."""
    levels = "dynamic_batching { max_queue_delay_microseconds: 1000 priority_levels: 3 default_priority_level: 2 }"
    with wb.Server(REPOSITORY, name="priorities") as server:
        model = server.load("translate", config=text("translate", tau0_us=8_000, max_batch_size=4, extra=levels))
        stop = threading.Event()
        loads = [(1, 0.05, 3), (2, 0.1, 8), (3, 0.9, 200)]
        sending = threading.Thread(target=asyncio.run, args=(send_all(model, loads, stop),))
        sending.start()
        yield ModelSource(model)
        stop.set()
        sending.join()


async def send_all(model: wb.Model, loads: list[tuple[int, float, int]], stop: threading.Event) -> None:
    """Sends requests of each priority, so many at once, every so many seconds."""
    inputs = {"INPUT0": np.zeros((1, 16), np.float32)}

    async def send(priority: int, every_s: float, at_once: int) -> None:
        while not stop.is_set():
            asking = [asyncio.ensure_future(model.infer_async(inputs, priority=priority)) for _ in range(at_once)]
            await asyncio.sleep(every_s)
            await asyncio.gather(*asking)

    await asyncio.gather(*(send(*load) for load in loads))


SCENES: Final = {"sequences": sequences, "ensemble": ensemble, "priorities": priorities}
