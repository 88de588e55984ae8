# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The inputs of a request, as the core takes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.repository import InputTensor, LoadedVersion
from workbench.tensors import as_array, borrow, copied_bytes, dtype_of, is_on_device, to_wire

Tensors: TypeAlias = Mapping[str, Any]
"""Arrays by input name: numpy, CuPy, DLPack; or plain numbers, texts and lists of them."""

Place = Literal["host", "device"]
"""Where outputs are to lie."""

_PLAIN: tuple[type, ...] = (int, float, bool, str, bytes, list, tuple)


def input_tensors(inputs: Tensors, running: Callable[[], LoadedVersion]) -> tuple[list[InputTensor], Mapping[str, int]]:
    """Name, data type, shape and buffer of each input; and how many bytes were copied for that, by reason.

    Arrays go as they are, those of a GPU too. Plain values become what the model declares: its data type, and
    dimensions of one before the value's own where it has too few; so a row is a batch of one.

    Args:
        inputs: what the caller gave.
        running: tells the version that runs; asked only where an input is a plain value.

    Raises:
        InvalidArgumentError: they are no mapping; a value fits no data type, or not the declared one.
    """
    if not hasattr(inputs, "items"):
        message = f"inputs are arrays by name, as in {{'INPUT0': array}}; got {type(inputs).__name__} {inputs!r:.60}"
        raise InvalidArgumentError(message)
    tensors: list[InputTensor] = []
    copies: dict[str, int] = {}
    for name, given in inputs.items():
        if type(given) is not np.ndarray and is_on_device(given):
            tensors.append((name, *borrow(given)))
            continue
        is_plain = isinstance(given, _PLAIN)
        array = _as_declared(name, given, running().spec) if is_plain else as_array(given)
        datatype, shape, buffer = to_wire(array)
        tensors.append((name, datatype, shape, buffer))
        reason, byte_size = copied_bytes(array, datatype, buffer)
        if is_plain:
            reason, byte_size = "converted", byte_size or array.nbytes
        if reason:
            copies[reason] = copies.get(reason, 0) + byte_size
    return tensors, copies


def _as_declared(name: str, value: Any, spec: Any) -> np.ndarray[Any, Any]:
    declared = next((tensor for tensor in spec.inputs if tensor.name == name), None)
    if declared is None:
        there = ", ".join(tensor.name for tensor in spec.inputs) or "none"
        message = f"model {spec.name!r} has no input {name!r}; it has {there}"
        raise InvalidArgumentError(message)
    array = _converted(name, value, declared.data_type)
    missing = len(declared.dims) + (spec.max_batch_size > 0) - array.ndim
    return array.reshape((1,) * missing + array.shape) if missing > 0 else array


def _converted(name: str, value: Any, datatype: str) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(value, dtype=dtype_of(datatype))
    except (ValueError, TypeError, OverflowError) as exc:
        message = f"input {name!r} is {datatype}; {value!r:.60} can not be that: {exc}"
        raise InvalidArgumentError(message) from exc
