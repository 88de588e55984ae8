# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in a GPU's memory: as they are sent to a model, and as a model answers with them. Nothing is copied here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any, Final, Protocol

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.tensors.dtypes import DATATYPE_BY_DTYPE, dtype_of

CUDA: Final = 2
"""DLPack's number of CUDA devices."""
_CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
_STRIDED: Final = "a GPU's array is taken as it lies: contiguous, rows first"


class DeviceMemory(Protocol):
    """Bytes of a GPU that somebody keeps."""

    address: int
    byte_size: int
    device: int


class Handed(DeviceMemory, Protocol):
    """The same, with a DLPack capsule of it."""

    def dlpack(self, shape: tuple[int, ...], code: int, bits: int) -> Any:
        """A capsule that keeps the memory."""


@dataclass(frozen=True, slots=True)
class BorrowedMemory:
    """Where an array of somebody else's lies.

    Attributes:
        address, byte_size, device: where.
        stream: the stream that may still write it; 0 for none.
        owner: the array, which keeps the memory.
    """

    address: int
    byte_size: int
    device: int
    stream: int
    owner: Any


def is_on_device(value: Any) -> bool:
    """Whether `value` lies in a GPU's memory."""
    if hasattr(value, "__cuda_array_interface__"):
        return True
    where = getattr(value, "__dlpack_device__", None)
    return where is not None and int(where()[0]) == CUDA


def borrow(value: Any) -> tuple[str, tuple[int, ...], BorrowedMemory]:
    """Data type, shape and place of an array that speaks CUDA's array interface.

    Raises:
        InvalidArgumentError: its elements fit no data type, or do not lie one after the other.
    """
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None:
        message = (
            f"this {type(value).__name__} lies on a GPU and does not speak __cuda_array_interface__; copy it first"
        )
        raise InvalidArgumentError(message)
    dtype, shape = np.dtype(interface["typestr"]), tuple(interface["shape"])
    datatype = DATATYPE_BY_DTYPE.get(dtype)
    if datatype is None:
        message = f"elements of {dtype} on a GPU fit no data type of the protocol"
        raise InvalidArgumentError(message)
    if interface.get("strides") is not None and tuple(interface["strides"]) != _row_strides(shape, dtype.itemsize):
        message = f"{_STRIDED}; this {type(value).__name__} has strides {tuple(interface['strides'])}"
        raise InvalidArgumentError(message)
    byte_size = prod(shape) * dtype.itemsize
    memory = BorrowedMemory(
        int(interface["data"][0]), byte_size, _device_of(value), interface.get("stream") or 0, value
    )
    return datatype, shape, memory


def _row_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    return tuple(itemsize * prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _device_of(value: Any) -> int:
    where = getattr(value, "__dlpack_device__", None)
    if where is not None:
        return int(where()[1])
    return int(getattr(getattr(value, "device", 0), "id", 0))


class DeviceArray:
    """An output in a GPU's memory, kept as long as this or an array made of it lives.

    CuPy, PyTorch, JAX and Numba take it without a copy (`cupy.asarray`, `torch.from_dlpack`, ...); `numpy()` copies it.

    Args:
        datatype, shape: as the protocol names them.
        memory: what keeps it.
        copy: copies memory to the host.
    """

    def __init__(
        self, datatype: str, shape: tuple[int, ...], memory: Handed, copy: Callable[[Any], np.ndarray[Any, Any]]
    ) -> None:
        self.datatype: Final = datatype
        self.shape: Final = shape
        self.dtype: Final = dtype_of(datatype)
        self.device: Final = memory.device
        self._memory = memory
        self._copy = copy

    @property
    def nbytes(self) -> int:
        """Bytes that it takes."""
        return self._memory.byte_size

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._memory.address, False),
            "version": 3,
            "strides": None,
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.device

    def __dlpack__(self, **_: Any) -> Any:
        """A capsule; the stream that asks need not wait, since an answer is complete."""
        code = 4 if self.datatype == "BF16" else _CODES[self.dtype.kind]
        return self._memory.dlpack(self.shape, code, 8 * self.dtype.itemsize)

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy in the host's memory."""
        return self._copy(self._memory).view(self.dtype).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:  # noqa: FBT001
        if copy is False:
            message = "an array of a GPU becomes a numpy array by a copy alone"
            raise ValueError(message)
        return self.numpy().astype(dtype or self.dtype, copy=False)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.datatype}{list(self.shape)} on GPU {self.device}>"
