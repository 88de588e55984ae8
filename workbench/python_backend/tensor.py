# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A named tensor, as a model reads and writes it."""

from __future__ import annotations

import ctypes
from typing import Any, Final, Self

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.python_backend.exceptions import TritonModelException
from workbench.tensors import datatype_of, is_on_device

_CPU: Final = 1
"""DLPack's number of the processor."""

DATATYPES: Final = (
    "INVALID",
    "BOOL",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "FP16",
    "FP32",
    "FP64",
    "BYTES",
    "BF16",
)
"""Data types by their number in the C interface."""


class Tensor:
    """A named array.

    Args:
        name: as the configuration has it.
        array: a numpy array; texts as bytes or str in an object array, or arrays of numpy's own string types.
    """

    # The backend fills these itself for inputs; `_datatype` is "" where the array tells it.
    __slots__ = ("_array", "_datatype", "_name")

    def __init__(self, name: str, array: np.ndarray[Any, Any]) -> None:
        if type(array) is not np.ndarray:
            array = _array_of(name, array)
        self._name = name
        self._array = array
        self._datatype = ""

    @classmethod
    def named(cls, name: str, array: np.ndarray[Any, Any], datatype: str) -> Tensor:
        """A tensor whose type is told, "" where the array tells it; nothing is checked."""
        tensor = cls.__new__(cls)
        tensor._name = name
        tensor._array = array
        tensor._datatype = datatype
        return tensor

    @classmethod
    def from_dlpack(cls, name: str, tensor: Any) -> Self:
        """A tensor of what has `__dlpack__`, or of a capsule; copied from a GPU, and from nowhere else."""
        if is_on_device(tensor):
            return cls(name, _brought_home(name, tensor))
        source = tensor if hasattr(tensor, "__dlpack__") else _Capsule(tensor)
        try:
            return cls(name, np.from_dlpack(source))
        except (BufferError, RuntimeError, TypeError, AttributeError) as exc:
            raise TritonModelException(f"tensor {name!r} can not be taken by DLPack: {exc}") from exc

    def name(self) -> str:
        """As the configuration has it."""
        return self._name

    def as_numpy(self) -> np.ndarray[Any, Any]:
        """The elements. Those of a request's input are read in place, and can not be written."""
        return self._array

    def is_cpu(self) -> bool:
        """Whether the processor can read it, which it always can here: what lay on a GPU is copied."""
        return True

    def shape(self) -> list[int]:
        """The dimensions."""
        return list(self._array.shape)

    def triton_dtype(self) -> int:
        """The data type's number in the C interface."""
        return DATATYPES.index(self.datatype())

    def datatype(self) -> str:
        """The data type's name in the protocol, such as "FP32"."""
        try:
            return self._datatype or datatype_of(self._array.dtype)
        except InvalidArgumentError as exc:
            raise TritonModelException(f"tensor {self._name!r}: {exc}") from exc

    def to_dlpack(self) -> Any:
        """A DLPack capsule that shares the memory."""
        return self.__dlpack__()

    def __dlpack__(self, **options: Any) -> Any:
        options.pop("stream", None)
        if self._array.dtype.kind == "O":
            raise TritonModelException(f"tensor {self._name!r} holds texts, and DLPack has no type for them")
        return _writable(self._array).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CPU, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor.named, (self._name, self._array, self._datatype)

    def __repr__(self) -> str:
        return f"<Tensor {self._name!r} {self._array.dtype} {list(self._array.shape)}>"


class _Capsule:
    """Lets numpy take a bare capsule."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CPU, 0)


def _array_of(name: str, array: Any) -> np.ndarray[Any, Any]:
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    told = type(array).__name__
    raise TritonModelException(f"tensor {name!r} needs a numpy array, and {told} was given: numpy.asarray makes one")


def _brought_home(name: str, tensor: Any) -> np.ndarray[Any, Any]:
    if hasattr(tensor, "get"):  # CuPy
        return np.asarray(tensor.get())
    if hasattr(tensor, "cpu"):  # PyTorch
        return np.from_dlpack(tensor.detach().cpu())
    if hasattr(tensor, "__array__"):  # JAX
        return np.asarray(tensor)
    told = f"tensor {name!r}: this {type(tensor).__name__} of a GPU has no method that copies it to the host"
    raise TritonModelException(told)


def _writable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    # DLPack of old has no way to say "do not write", and numpy refuses then.
    if array.flags.writeable or not array.size:
        return array
    dense = np.ascontiguousarray(array)
    memory = (ctypes.c_char * dense.nbytes).from_address(dense.ctypes.data)
    memory.owner = dense  # type: ignore[attr-defined]
    alias: np.ndarray[Any, Any] = np.frombuffer(memoryview(memory), dtype=dense.dtype).reshape(dense.shape)
    return alias
