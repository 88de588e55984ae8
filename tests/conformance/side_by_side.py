# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The same calls to the real server, over HTTP, and to one in this process; what they answer, in the same form."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

import workbench as wb
from tests.conformance.peer import RealTriton

Inputs: TypeAlias = Mapping[str, np.ndarray[Any, Any]]

HTTP = {"OK": 200, "INTERNAL": 500, "NOT_FOUND": 404, "UNAVAILABLE": 503, "UNSUPPORTED": 501}


def ask(real: RealTriton, path: str, body: object = None) -> tuple[int, Any]:
    """Status and JSON of one call."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(f"{real.url}{path}", data, timeout=10) as reply:
            text = reply.read()
            return reply.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        return error.code, None


def own_code(action: Callable[[], Any]) -> tuple[int, Any]:
    """The status that the real server would send for what an action raises, and what it returns."""
    try:
        return 200, action()
    except wb.WorkbenchError as error:
        return HTTP.get(error.wire_code, 400), None


def load_both(real: RealTriton, own: wb.Server, name: str) -> tuple[int, int]:
    """Status of a load there and here."""
    there, _ = ask(real, f"/v2/repository/models/{name}/load", {})
    here, _ = own_code(lambda: own.load(name))
    return there, here


def infer_real(real: RealTriton, name: str, inputs: Inputs, outputs: Sequence[str]) -> tuple[int, Any]:
    """Status, and shape and values of each output."""
    body: dict[str, Any] = {
        "inputs": [
            {"name": key, "datatype": "FP32", "shape": list(value.shape), "data": value.ravel().tolist()}
            for key, value in inputs.items()
        ]
    }
    if outputs:
        body["outputs"] = [{"name": output} for output in outputs]
    status, reply = ask(real, f"/v2/models/{name}/infer", body)
    return status, reply and {tensor["name"]: (tensor["shape"], tensor["data"]) for tensor in reply.get("outputs", ())}


def infer_own(own: wb.Server, name: str, inputs: Inputs, outputs: Sequence[str]) -> tuple[int, Any]:
    """The same of a server in this process."""
    status, reply = own_code(lambda: own.model(name).infer(inputs, outputs=outputs or None))
    return status, reply and {key: (list(value.shape), value.ravel().tolist()) for key, value in reply.items()}


def counts(statistics: Mapping[str, Any]) -> dict[str, Any]:
    """The counts of a model's statistics, without the times."""
    stats = {key: value["count"] for key, value in statistics["inference_stats"].items()}
    batches = {row["batch_size"]: row["compute_infer"]["count"] for row in statistics["batch_stats"]}
    return {
        **stats,
        "inferences": statistics["inference_count"],
        "executions": statistics["execution_count"],
        **batches,
    }
