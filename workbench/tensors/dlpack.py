# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays from elsewhere, by the array interface that they speak, as numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.errors import InvalidArgumentError


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """`value` as a numpy array: borrowed where its memory can be read here, copied from a GPU, converted from lists.

    Raises:
        InvalidArgumentError: the value is ragged, or no array can be made of it.
    """
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__cuda_array_interface__"):
        return _from_device(value)
    if hasattr(value, "__dlpack__") and not isinstance(value, np.generic):
        return _from_dlpack(value)
    return _from_values(value)


def _from_dlpack(value: Any) -> np.ndarray[Any, Any]:
    # A tensor that PyTorch differentiates is handed out only without that.
    value = value.detach() if hasattr(value, "detach") else value
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as exc:  # a type that numpy does not know, such as BF16
        try:
            return np.asarray(value)
        except (RuntimeError, TypeError, ValueError):
            message = f"numpy can not read this {type(value).__name__}: {exc}"
            raise InvalidArgumentError(message) from exc


def _from_device(value: Any) -> np.ndarray[Any, Any]:
    # CuPy arrays answer to `get`, PyTorch tensors to `cpu`.
    if hasattr(value, "get"):
        return np.asarray(value.get())
    return np.from_dlpack(value.cpu())


def _from_values(value: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except ValueError as exc:
        message = f"no array can be made of this {type(value).__name__}: {exc}"
        raise InvalidArgumentError(message) from exc
    # numpy's own S and U types drop trailing NULs; an object array keeps every byte.
    return np.asarray(value, dtype=np.object_) if array.dtype.kind in "SU" else array
