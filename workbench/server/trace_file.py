# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Traces of requests in the form of the original's trace files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from os import SEEK_END
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError
from workbench.events import RequestTrace, TracedTensor
from workbench.tensors import from_wire


def traces_json(traces: Iterable[RequestTrace]) -> list[dict[str, Any]]:
    """The traces in the form of the original's trace files, which its summary tools read."""
    return [entry for trace in traces for entry in _entries(trace)]


class TraceFile:
    """Where traces are written: one file, and beside it numbered ones, as the original divides them.

    Each holds a list of JSON at any time. The file is written anew with the first traces.

    Args:
        path: of the file; numbered ones have ".0", ".1" and so on behind it.

    Threads: one at a time.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._next = 0
        self._is_begun = False

    def add(self, traces: Iterable[RequestTrace]) -> None:
        """Write traces behind those that the file has."""
        text = json.dumps(traces_json(traces))
        if not self._is_begun:
            self._path.write_text(text, encoding="utf-8")
            self._is_begun = True
            return
        with self._path.open("r+b") as file:
            file.seek(-1, SEEK_END)
            file.write(b"," + text[1:].encode())

    def save_part(self, traces: Iterable[RequestTrace]) -> None:
        """Write traces to a file of their own, with the next number."""
        path = self._path.with_name(f"{self._path.name}.{self._next}")
        self._next += 1
        path.write_text(json.dumps(traces_json(traces)), encoding="utf-8")


def _entries(trace: RequestTrace) -> Iterator[dict[str, Any]]:
    told: dict[str, Any] = {"model_name": trace.model_name, "model_version": trace.model_version}
    told |= {"request_id": trace.request_id} if trace.request_id else {}
    told |= {"parent_id": trace.parent_id} if trace.parent_id else {}
    yield {"id": trace.id, **told}
    if trace.timestamps:
        yield {"id": trace.id, "timestamps": [{"name": name, "ns": ns} for name, ns in trace.timestamps]}
    for tensor in trace.tensors:
        yield {"id": trace.id, "activity": tensor.activity, "tensor": _tensor(tensor)}


def _tensor(tensor: TracedTensor) -> dict[str, str]:
    shape = ",".join(map(str, tensor.shape))
    return {"name": tensor.name, "data": _text(tensor), "shape": shape, "dtype": tensor.datatype}


def _text(tensor: TracedTensor) -> str:
    try:
        values = from_wire(tensor.datatype, tensor.shape, tensor.data).ravel()
    except WorkbenchError:
        return ""  # its bytes could not be read when it was shown
    return ",".join(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value) for value in values)
