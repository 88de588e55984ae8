# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models of every type for tests over HTTP, and how their requests are told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

TYPES: Final = {
    "BOOL": (np.bool_, [True, False, True, True]),
    "UINT8": (np.uint8, [0, 1, 254, 255]),
    "UINT16": (np.uint16, [0, 1, 2, 65535]),
    "UINT32": (np.uint32, [0, 1, 2, 4294967295]),
    "UINT64": (np.uint64, [0, 1, 2, 18446744073709551615]),
    "INT8": (np.int8, [-128, -1, 0, 127]),
    "INT16": (np.int16, [-32768, -1, 0, 32767]),
    "INT32": (np.int32, [-2147483648, -1, 0, 2147483647]),
    "INT64": (np.int64, [-9223372036854775808, -1, 0, 9223372036854775807]),
    "FP32": (np.float32, [0.0, -1.5, 1e-3, 3.25e7]),
    "FP64": (np.float64, [0.0, -1.5, 1e-300, 3.25e300]),
}
HALVES: Final = ("FP16", "BF16")
MODELS: Final = (*TYPES, *HALVES, "STRING")


@dataclass(frozen=True, slots=True)
class HttpCase:
    """One request."""

    name: str
    path: str
    method: str = "POST"
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def write_models(repository: Path) -> None:
    """A model for each type, whose output is its input; `free` takes any shape, `plain` knows no batches."""
    for name in MODELS:
        write_model(repository, f"m_{name}", name, batch=8)
    write_model(repository, "free", "FP32", batch=0, dims="-1, -1")
    write_model(repository, "plain", "INT32", batch=0)
    write_model(repository, "flat", "FP32", batch=0, dims="-1")
    write_model(repository, "word", "STRING", batch=8, dims="1")


def write_model(repository: Path, name: str, data_type: str, *, batch: int, dims: str = "4") -> None:
    folder = repository / name / "1"
    folder.mkdir(parents=True)
    text = f"""
        backend: "identity" max_batch_size: {batch}
        input [ {{ name: "INPUT0" data_type: TYPE_{data_type} dims: [ {dims} ] }} ]
        output [ {{ name: "OUTPUT0" data_type: TYPE_{data_type} dims: [ {dims} ] label_filename: "labels.txt" }} ]
        instance_group [ {{ count: 1 kind: KIND_CPU }} ]
    """
    (folder.parent / "labels.txt").write_text("zero\none\ntwo\n")
    (folder.parent / "config.pbtxt").write_text(text)


def infer(name: str, body: Any, *, model: str = "m_INT32", binary: bytes = b"", **headers: str) -> HttpCase:
    """An inference; the body is JSON, or bytes as they are."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    found = {key.replace("_", "-"): value for key, value in headers.items()}
    if binary:
        found.setdefault("Inference-Header-Content-Length", str(len(text)))
    return HttpCase(name, f"/v2/models/{model}/infer", body=text + binary, headers=found)


def one(data: Any = (1, 2, 3, 4), *, datatype: str = "INT32", shape: Any = (1, 4), **more: Any) -> dict[str, Any]:
    """An input; a field that is None is left out."""
    told = {"name": "INPUT0", "shape": shape, "datatype": datatype, "data": data, **more}
    return {key: value for key, value in told.items() if value is not None}


def with_inputs(*inputs: Any, **more: Any) -> dict[str, Any]:
    return {"inputs": list(inputs), **more}


def wanting(**parameters: Any) -> dict[str, Any]:
    return {"name": "OUTPUT0", "parameters": parameters}
