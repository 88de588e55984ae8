# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of a model as files hold them: `params.safetensors`, or `params.msgpack` as flax writes it."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError, MissingExtraError
from workbench.tensors import dtype_of

_TYPES: Final[Mapping[str, str]] = {
    "BOOL": "BOOL",
    "F16": "FP16",
    "F32": "FP32",
    "F64": "FP64",
    "BF16": "BF16",
    **{
        f"{letter}{bits}": f"{name}{bits}" for letter, name in (("I", "INT"), ("U", "UINT")) for bits in (8, 16, 32, 64)
    },
}
_ARRAY, _COMPLEX, _SCALAR = 1, 2, 3
"""Kinds of extensions in flax's files."""


def load_parameters(folder: Path) -> Any:
    """The tree of parameters in a folder, a dict of dicts of arrays; an empty one where there is no file.

    Raises:
        InvalidArgumentError: a file is broken.
        MissingExtraError: what reads it is not installed.
    """
    for name, read in (("params.safetensors", read_safetensors), ("params.msgpack", read_msgpack)):
        file = folder / name
        if file.is_file():
            try:
                return read(file.read_bytes())
            except (ValueError, KeyError, TypeError, struct.error) as exc:
                raise InvalidArgumentError(f"{file} can not be read: {exc}") from exc
    return {}


def read_safetensors(content: bytes) -> dict[str, Any]:
    """Arrays by name; names with dots become dicts of dicts."""
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    tree: dict[str, Any] = {}
    for name, told in header.items():
        if name != "__metadata__":
            _put(tree, name, _array_of(content, 8 + length, told))
    return tree


def _array_of(content: bytes, data: int, told: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    if told["dtype"] not in _TYPES:
        raise ValueError(f"type {told['dtype']!r} is none of {', '.join(_TYPES)}")
    start, end = told["data_offsets"]
    raw = np.frombuffer(content[data + start : data + end], dtype_of(_TYPES[told["dtype"]]))
    return raw.reshape(told["shape"])


def _put(tree: dict[str, Any], name: str, array: np.ndarray[Any, Any]) -> None:
    *path, leaf = name.split(".")
    for part in path:
        tree = tree.setdefault(part, {})
    tree[leaf] = array


def read_msgpack(content: bytes) -> Any:
    """The tree in a file that flax wrote."""
    try:
        import msgpack
    except ImportError as exc:
        raise MissingExtraError("params.msgpack needs the package msgpack", extra="jax") from exc
    return msgpack.unpackb(content, ext_hook=_extension, strict_map_key=False)


def _extension(kind: int, content: bytes) -> Any:
    import msgpack

    if kind == _ARRAY:
        shape, name, raw = msgpack.unpackb(content)
        return np.frombuffer(raw, np.dtype(name)).reshape(shape)
    if kind == _SCALAR:
        return _extension(_ARRAY, content)[()]
    if kind == _COMPLEX:
        return complex(*msgpack.unpackb(content))
    raise ValueError(f"it has an extension of kind {kind}, which flax does not write")
