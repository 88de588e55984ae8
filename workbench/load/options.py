# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The words of `%drive` and of `drive` in a terminal, and what `drive` is called with for them."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError
from workbench.load.arrival import ARRIVAL_KINDS
from workbench.load.plan import LENGTHS, Sequences
from workbench.load.workload import Workload


def _dims(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, sizes = text.rpartition(":")
    try:
        return _named(name, text), tuple(int(size) for size in sizes.split(",") if size)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not like INPUT:3,224,224") from error


def _parameter(text: str) -> tuple[str, bool | int | float | str]:
    name, _, value = text.partition(":")
    return _named(name, text), _value(value)


def _named(name: str, text: str) -> str:
    if not name:
        raise ArgumentTypeError(f"{text!r} names nothing")
    return name


def _value(text: str) -> bool | int | float | str:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _warmup(text: str) -> float | str:
    return text if text == "auto" else float(text)


DRIVE_OPTIONS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("--rate", {"type": float, "help": "open loop: requests per second"}),
    ("--concurrency", {"type": int, "help": "closed loop: requests in flight"}),
    ("--arrivals", {"default": "poisson", "choices": ARRIVAL_KINDS, "help": "of the open loop"}),
    ("--variation", {"type": float, "help": "gamma: coefficient of variation of the gaps; 1 is Poisson"}),
    ("--ratio", {"type": float, "help": "markov: how much faster the rush is than the calm"}),
    ("--dwell", {"type": float, "default": 0.1, "metavar": "SECONDS", "help": "markov: mean time in a state"}),
    ("--replay", {"type": Path, "metavar": "FILE", "help": "send at recorded times: text, .npy, or .wbr of a server"}),
    ("--speed", {"type": float, "default": 1.0, "help": "of a replay"}),
    ("--duration", {"type": float, "default": 5.0, "metavar": "SECONDS", "help": "how long requests are sent"}),
    ("--requests", {"type": int, "default": 0, "help": "how many are sent, instead of a duration"}),
    ("--warmup", {"type": _warmup, "default": "auto", "metavar": "SECONDS", "help": "left out; auto finds it"}),
    ("--repeats", {"type": int, "default": 1, "help": "how often a run is repeated in which the machine stood still"}),
    ("--input-data", {"type": Path, "metavar": "FILE", "help": "inputs in perf_analyzer's JSON format"}),
    ("--rows", {"type": int, "default": 1, "help": "batch dimension of made up inputs"}),
    ("--dims", {"type": _dims, "action": "append", "default": [], "metavar": "INPUT:N,N", "help": "shape of one"}),
    ("--sequences", {"type": int, "default": 0, "metavar": "N", "help": "send sequences, N of them at a time"}),
    ("--sequence-length", {"type": int, "default": 20, "metavar": "N", "help": "requests of one, in the mean"}),
    ("--sequence-lengths", {"default": "constant", "choices": LENGTHS, "help": "how lengths are drawn"}),
    ("--priority", {"type": int, "default": 0, "help": "1 is the highest; 0 the model's default"}),
    ("--timeout", {"type": float, "metavar": "SECONDS", "help": "how long a request may wait in the queue"}),
    (
        "--parameter",
        {
            "type": _parameter,
            "action": "append",
            "default": [],
            "metavar": "NAME:VALUE",
            "help": "handed on to the backend",
        },
    ),
    ("--seed", {"type": int, "default": 1, "help": "of arrivals, made up inputs and sequences"}),
)
"""Names and settings for `ArgumentParser.add_argument`."""


def drive_arguments(options: Namespace) -> dict[str, Any]:
    """The arguments of `drive` that the words stand for.

    Raises:
        InvalidArgumentError: words that exclude each other.
    """
    sequences = None
    if options.sequences:
        lengths = {"length": options.sequence_length, "lengths": options.sequence_lengths}
        sequences = Sequences(options.sequences, **lengths)
    return {
        "workload": _workload(options),
        "warmup": options.warmup,
        "repeats": options.repeats,
        "inputs": options.input_data,
        "rows": options.rows,
        "dims": dict(options.dims),
        "sequences": sequences,
        "priority": options.priority,
        "timeout_s": options.timeout,
        "parameters": dict(options.parameter),
        "seed": options.seed,
    }


def _workload(options: Namespace) -> Workload:
    if (options.rate is not None) + (options.concurrency is not None) + (options.replay is not None) != 1:
        raise InvalidArgumentError("give a rate (open loop), a concurrency (closed loop), or a file of times to replay")
    if options.replay is not None:
        return Workload.replay(options.replay, speed=options.speed)
    extent = {"duration_s": options.duration, "requests": options.requests, "seed": options.seed}
    if options.concurrency is not None:
        return Workload.closed(concurrency=options.concurrency, **extent)
    if options.arrivals == "gamma" and options.variation is not None:
        return Workload.gamma(rate=options.rate, variation=options.variation, **extent)
    if options.arrivals == "markov":
        return Workload.mmpp(rate=options.rate, ratio=options.ratio or 5.0, dwell_s=options.dwell, **extent)
    return Workload(rate=options.rate, arrivals=options.arrivals, **extent)
