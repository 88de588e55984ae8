# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a model answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any

import numpy as np

from workbench.errors import NotFoundError, WorkbenchError, error_for
from workbench.repository import Response, refusal_of
from workbench.server.rendering import html_table
from workbench.tensors import DeviceArray, from_wire


class Reply(Mapping[str, "np.ndarray[Any, Any]"]):
    """One response: a mapping from output names to arrays.

    Attributes:
        outputs: the arrays by name, in the order in which the backend made them; numeric ones are views of the
            response's own memory, BYTES are object arrays of `bytes`; those that lie on a GPU are of DeviceArray.
        parameters: what the backend added to the response.
        request_id: id of the request, "" where it had none.
        serial: number of the request in the server's events.
    """

    __slots__ = ("outputs", "parameters", "request_id", "serial")

    def __init__(
        self, outputs: dict[str, np.ndarray[Any, Any]], parameters: dict[str, Any], request_id: str, serial: int
    ) -> None:
        self.outputs = outputs
        self.parameters = parameters
        self.request_id = request_id
        self.serial = serial

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        try:
            return self.outputs[name]
        except KeyError:
            message = f"no output {name!r} in the reply; it has {', '.join(self.outputs) or 'none'}"
            raise KeyError(message) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    def __repr__(self) -> str:
        outputs = ", ".join(f"{name}: {array.dtype}{list(array.shape)}" for name, array in self.outputs.items())
        return f"<Reply {outputs or 'without outputs'}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, "BYTES" if array.dtype == object else str(array.dtype), list(array.shape), _excerpt(array))
            for name, array in self.outputs.items()
        ]
        parameters = "".join(
            f"<div>{escape(str(key))} = {escape(str(value))}</div>" for key, value in self.parameters.items()
        )
        return html_table(("output", "type", "shape", "values"), rows) + parameters


def reply_of(response: Response, request_id: str, serial: int, *, copy: Callable[[Any], np.ndarray[Any, Any]]) -> Reply:
    """The reply that `response` holds.

    Raises:
        WorkbenchError: the response is an error; its class stands for the status.
    """
    if response.error is not None:
        raise error_for(*response.error)
    outputs = {name: _array(datatype, shape, raw, copy) for name, datatype, shape, raw in response.outputs}
    return Reply(outputs, response.parameters, request_id, serial)


def _array(datatype: str, shape: tuple[int, ...], raw: Any, copy: Callable[[Any], np.ndarray[Any, Any]]) -> Any:
    if hasattr(raw, "dlpack"):
        return DeviceArray(datatype, tuple(shape), raw, copy)
    return from_wire(datatype, shape, raw)


def _excerpt(array: Any) -> str:
    if isinstance(array, DeviceArray):
        return f"on GPU {array.device}"
    return np.array2string(array, threshold=8, edgeitems=3, precision=4, separator=", ").replace("\n", "")


def refusal_for(exc: Exception, running: Callable[[], object]) -> WorkbenchError:
    """Why the core took no request; where it knows no such model, what `running` raises of it."""
    refusal = refusal_of(exc)
    if isinstance(refusal, NotFoundError):
        try:
            running()
        except WorkbenchError as known:  # what became of the model, which the core does not know
            return known
    return refusal
