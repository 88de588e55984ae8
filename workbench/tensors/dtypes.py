# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The data types of the protocol ("FP32", "BYTES", ...) and the numpy types that hold them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError


def _bf16_dtype() -> np.dtype[Any]:
    """Without ml_dtypes the bits of a BF16 are handed out as they are."""
    try:
        import ml_dtypes
    except ImportError:
        return np.dtype(np.uint16)
    dtype: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return dtype


_DTYPES: Final[dict[str, np.dtype[Any]]] = {
    "BOOL": np.dtype(np.bool_),
    "UINT8": np.dtype("<u1"),
    "UINT16": np.dtype("<u2"),
    "UINT32": np.dtype("<u4"),
    "UINT64": np.dtype("<u8"),
    "INT8": np.dtype("<i1"),
    "INT16": np.dtype("<i2"),
    "INT32": np.dtype("<i4"),
    "INT64": np.dtype("<i8"),
    "FP16": np.dtype("<f2"),
    "FP32": np.dtype("<f4"),
    "FP64": np.dtype("<f8"),
    "BF16": _bf16_dtype(),
    "BYTES": np.dtype(np.object_),
}

DATATYPES: Final[tuple[str, ...]] = tuple(_DTYPES)
"""Every data type of the protocol."""

# BF16 goes first, so that without ml_dtypes a uint16 array still means UINT16.
DATATYPE_BY_DTYPE: Final[dict[np.dtype[Any], str]] = {
    _DTYPES[datatype]: datatype for datatype in ("BF16", *(name for name in DATATYPES if name != "BF16"))
}


def dtype_of(datatype: str) -> np.dtype[Any]:
    """The numpy type whose elements are those of `datatype`; BYTES are Python `bytes` in an object array.

    Raises:
        InvalidArgumentError: there is no such data type.
    """
    try:
        return _DTYPES[datatype]
    except KeyError:
        message = f"no data type {datatype!r}; there are {', '.join(DATATYPES)}"
        raise InvalidArgumentError(message) from None


def datatype_of(dtype: np.dtype[Any]) -> str:
    """The data type that arrays of `dtype` are sent as.

    Raises:
        InvalidArgumentError: no data type has such elements.
    """
    datatype = DATATYPE_BY_DTYPE.get(dtype.newbyteorder("<"))
    if datatype is None and dtype.kind in "SUT":
        return "BYTES"
    if datatype is None:
        message = f"an array of {dtype} has no data type of the protocol; there are {', '.join(DATATYPES)}"
        raise InvalidArgumentError(message)
    return datatype


def byte_size_of(datatype: str) -> int:
    """Bytes of one element; 0 for BYTES, whose elements vary."""
    return 0 if datatype == "BYTES" else dtype_of(datatype).itemsize
