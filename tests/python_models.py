# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models in Python that tests write and load."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from time import monotonic, sleep
from typing import Any

import numpy as np

import workbench as wb

HEAD = """
import json, threading
import numpy as np
import triton_python_backend_utils as pb_utils
"""
FLOATS = """
input [ { name: "IN" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
"""
BATCHED = FLOATS + "max_batch_size: 8"
DECOUPLED = FLOATS + "model_transaction_policy { decoupled: true }"
ROW = np.arange(4, dtype=np.float32).reshape(1, 4)
Load = Callable[..., Any]


def body(text: str) -> str:
    """A model whose `execute` answers each request by these lines, which have `request`, `x` and `answer(array)`."""
    lines = "\n".join("            " + line for line in dedent(text).strip().splitlines())
    return f"""
class TritonPythonModel:
    def execute(self, requests):
        def answer(array, name="OUT", **kinds):
            return pb_utils.InferenceResponse([pb_utils.Tensor(name, array)], **kinds)
        responses = []
        for request in requests:
            x = request.inputs()[0].as_numpy()
{lines}
        return responses
"""


DOUBLE = body("responses.append(answer(x * 2))")
COUNTING = """
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for value in range(int(request.inputs()[0].as_numpy()[0])):
                array = np.array([value], np.float32)
                sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", array)]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
"""
"""A decoupled model that answers 0, 1, ... below the number that it is asked with."""

COUNTDOWN = """
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for place in range(int(request.inputs()[0].as_numpy()[0])):
                sender.send(self.response(place))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
    def response(self, place):
        if place < 2:
            return pb_utils.InferenceResponse([pb_utils.Tensor("OUT", np.zeros(1, np.float32))] * (1 - place))
        code = pb_utils.TritonError.INTERNAL if place == 2 else pb_utils.TritonError.CANCELLED
        return pb_utils.InferenceResponse(error=pb_utils.TritonError("no", code))
"""
"""A decoupled model that answers a number by as many responses: an output, none, a failure, cancellations."""


def parameter(name: str, value: str) -> str:
    """A parameter in a configuration."""
    return f'parameters {{ key: "{name}" value {{ string_value: "{value}" }} }}\n'


def loader(server: wb.Server, repository: Path, isolation: str = "kernel", *, config: str = BATCHED) -> Load:
    """What writes a model of these lines and loads it: `load(code, config, name="m")`."""

    def load(code: str, config: str = config, *, name: str = "m") -> Any:
        folder = repository / name / "1"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.py").write_text(HEAD + code)
        told = parameter("isolation", isolation)
        (repository / name / "config.pbtxt").write_text(f'backend: "python"\n{config}\n{told}')
        return server.load(name)

    return load


def eventually(holds: Callable[[], bool], *, within_s: float = 10.0) -> None:
    """Wait until something holds that another thread brings about."""
    deadline = monotonic() + within_s
    while not holds():
        assert monotonic() < deadline
        sleep(0.005)
