# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays to the bytes that backends read, and back. Contiguous arrays are borrowed, not copied."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import prod
from typing import Any, TypeAlias

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.tensors.dlpack import as_array
from workbench.tensors.dtypes import DATATYPE_BY_DTYPE, datatype_of, dtype_of

Buffer: TypeAlias = np.ndarray[Any, Any] | bytes | bytearray | memoryview
"""Contiguous bytes."""

__all__ = ["Buffer", "as_array", "copied_bytes", "from_wire", "to_wire"]

_LENGTH_BYTES = 4
_CONVERTED = frozenset({"BYTES", "BF16"})


def to_wire(array: Any) -> tuple[str, tuple[int, ...], Buffer]:
    """The data type, shape and bytes of a tensor.

    Args:
        array: a numpy array, one that speaks DLPack or CUDA's array interface, or (nested) lists and numbers;
            arrays of `object`, `str` or `bytes` are BYTES tensors.

    Returns:
        Data type ("FP32", ...), shape, and a contiguous buffer: the array itself where it is contiguous.

    Raises:
        InvalidArgumentError: the elements fit no data type of the protocol.
    """
    if type(array) is not np.ndarray:
        array = as_array(array)
    datatype = DATATYPE_BY_DTYPE.get(array.dtype)
    if datatype is None or datatype in _CONVERTED:
        return _to_wire_slowly(array)
    if not array.flags.c_contiguous:
        return datatype, array.shape, np.ascontiguousarray(array)
    return datatype, array.shape, array


def copied_bytes(array: np.ndarray[Any, Any], datatype: str, buffer: Buffer) -> tuple[str, int]:
    """Why `to_wire` copied `array` into `buffer`, and how many bytes; "" and 0 where it lent it."""
    if buffer is array or (isinstance(buffer, np.ndarray) and np.may_share_memory(buffer, array)):
        return "", 0
    byte_size = buffer.nbytes if isinstance(buffer, np.ndarray) else len(buffer)
    is_same_type = datatype != "BYTES" and array.dtype in DATATYPE_BY_DTYPE
    return "not_contiguous" if is_same_type else "converted", byte_size


def from_wire(datatype: str, shape: tuple[int, ...], raw: Buffer) -> np.ndarray[Any, Any]:
    """The tensor that `raw` holds: a view of it, except for BYTES, which become an object array of `bytes`.

    Raises:
        InvalidArgumentError: the bytes are more or fewer than `shape` needs.
    """
    if datatype == "BYTES":
        return _decode_bytes(shape, _bytes_view(raw))
    dtype = dtype_of(datatype)
    try:
        if type(raw) is np.ndarray:
            return raw.view(dtype).reshape(shape)
        return np.frombuffer(raw, dtype).reshape(shape)
    except ValueError:
        return _empty_or_refused(datatype, shape, _bytes_view(raw).nbytes)


def _bytes_view(raw: Any) -> memoryview:
    view = memoryview(raw)
    return view.cast("B") if view.nbytes else memoryview(b"")


def _to_wire_slowly(array: np.ndarray[Any, Any]) -> tuple[str, tuple[int, ...], Buffer]:
    datatype = datatype_of(array.dtype)
    if datatype == "BYTES":
        return datatype, array.shape, _encode_bytes(array)
    # Little-endian, contiguous; BF16 as bits, since its own type hands out no buffer.
    array = np.ascontiguousarray(array, dtype=dtype_of(datatype)).reshape(array.shape)
    return datatype, array.shape, array.view(np.uint16) if datatype == "BF16" else array


def _encode_bytes(array: np.ndarray[Any, Any]) -> bytes:
    elements = [_as_bytes(element) for element in array.ravel().tolist()]
    return b"".join(chain.from_iterable((len(e).to_bytes(_LENGTH_BYTES, "little"), e) for e in elements))


def _as_bytes(element: Any) -> bytes:
    if isinstance(element, str):
        return element.encode()
    if isinstance(element, (bytes, bytearray, memoryview)):
        return bytes(element)
    message = f"an element of a BYTES tensor is str or bytes; got {type(element).__name__} {element!r:.40}"
    raise InvalidArgumentError(message)


def _decode_bytes(shape: tuple[int, ...], raw: memoryview) -> np.ndarray[Any, Any]:
    elements = list(_elements(raw))
    if len(elements) != prod(shape):
        message = f"a BYTES tensor of shape {list(shape)} needs {prod(shape)} elements; its bytes hold {len(elements)}"
        raise InvalidArgumentError(message)
    array = np.empty(len(elements), np.object_)
    array[:] = elements
    return array.reshape(shape)


def _elements(raw: memoryview) -> Iterable[bytes]:
    start = 0
    while start < len(raw):
        body = start + _LENGTH_BYTES
        end = body + int.from_bytes(raw[start:body], "little")
        if body > len(raw) or end > len(raw):
            message = (
                f"a BYTES tensor is cut short: the element at byte {start} ends at byte {max(body, end)}, "
                f"but there are {len(raw)} bytes"
            )
            raise InvalidArgumentError(message)
        yield raw[body:end].tobytes()
        start = end


def _empty_or_refused(datatype: str, shape: tuple[int, ...], byte_size: int) -> np.ndarray[Any, Any]:
    dtype = dtype_of(datatype)
    expected = prod(shape) * dtype.itemsize
    if expected == byte_size == 0:
        return np.empty(shape, dtype)
    message = f"a {datatype} tensor of shape {list(shape)} has {expected} bytes; got {byte_size}"
    raise InvalidArgumentError(message)
