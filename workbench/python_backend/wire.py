# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Batches and answers in shared memory, as the child sees them; `wire.h` of the backend tells the layout."""

from __future__ import annotations

import json
import mmap
import os
import struct
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from workbench.python_backend.exceptions import TritonModelException
from workbench.python_backend.module import deserialize_bytes_tensor
from workbench.python_backend.request import InferenceRequest
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.services import Facts, Services
from workbench.python_backend.tensor import DATATYPES, Tensor
from workbench.tensors import dtype_of

_BYTES: Final = DATATYPES.index("BYTES")
_DTYPES: Final = [None, *(dtype_of(name) for name in DATATYPES[1:])]
# Reversed: where numpy has no BF16 of its own its bits are UINT16, which goes before.
_NUMBERS: Final = {dtype: number for number, dtype in reversed([*enumerate(_DTYPES)]) if dtype is not None}
_PLAIN: Final = frozenset("biuf")
_NAMES: Final = [name if name == "BF16" else "" for name in DATATYPES]
_NUMBER: Final = struct.Struct("<Q")
_LENGTH: Final = struct.Struct("<I")
_TWO: Final = struct.Struct("<QQ")
_THREE: Final = struct.Struct("<QQQ")
_INVALID: Final = 3
_TEXT, _INTEGER, _BOOLEAN, _DOUBLE = range(4)


def _padded(byte_size: int) -> int:
    """What begins at a multiple of 8 ends at one."""
    return (byte_size + 7) & ~7


class Reader:
    """Reads numbers and texts one after the other."""

    __slots__ = ("at", "memory")

    def __init__(self, memory: Any, at: int = 0) -> None:
        self.memory = memory
        self.at = at

    def number(self) -> int:
        """The next number."""
        (value,) = _NUMBER.unpack_from(self.memory, self.at)
        self.at += 8
        return int(value)

    def three(self) -> tuple[int, int, int]:
        """The next three numbers."""
        values = _THREE.unpack_from(self.memory, self.at)
        self.at += 24
        return values

    def text(self) -> str:
        """The next text."""
        start = self.at + 4
        end = start + int.from_bytes(self.memory[self.at : start], "little")
        self.at += end - self.at + 7 & ~7
        return str(self.memory[start:end], "utf-8")


def read_batch(memory: mmap.mmap, services: Services, model_name: str) -> list[InferenceRequest]:
    """The requests of a batch; arrays of numbers view the memory."""
    (count,) = _NUMBER.unpack_from(memory, 0)
    requests, at = [], 8
    for _ in range(count):
        handle, facts_size, input_count = _THREE.unpack_from(memory, at)
        start = at + 24
        at = start + facts_size
        inputs: list[Tensor] = []
        for _ in range(input_count):
            at = _read_tensor(memory, at, inputs)
        requests.append(
            InferenceRequest.served(handle, memory[start : start + facts_size], inputs, services, model_name)
        )
    return requests


def _read_tensor(memory: mmap.mmap, at: int, inputs: list[Tensor]) -> int:
    """Append the tensor that begins there; returns where the next one does."""
    number, dim_count, byte_size = _THREE.unpack_from(memory, at)
    at += 24
    shape = _shape(dim_count).unpack_from(memory, at)
    at += 8 * dim_count
    (length,) = _LENGTH.unpack_from(memory, at)
    name = memory[at + 4 : at + 4 + length].decode()
    at += 4 + length + 7 & ~7
    if number == _BYTES:
        array = deserialize_bytes_tensor(memory[at : at + byte_size]).reshape(shape)
    else:
        array = np.ndarray(shape, _DTYPES[number], memory, at)
    inputs.append(Tensor.named(name, array, _NAMES[number]))
    return _padded(at + byte_size)


@cache
def _shape(dim_count: int) -> struct.Struct:
    return struct.Struct(f"<{dim_count}q")


@cache
def _head(dim_count: int, name_length: int) -> struct.Struct:
    """Everything of a tensor but its bytes, up to where they begin."""
    layout = f"<QQQ{dim_count}qI{name_length}s"
    return struct.Struct(f"{layout}{-struct.calcsize(layout) % 8}x")


def read_facts(facts: bytes) -> Facts:
    """What is known of a request beside its inputs."""
    reader = Reader(facts)
    flags, priority, timeout = reader.three()
    number = reader.number()
    request_id, text = reader.text(), reader.text()
    outputs = [reader.text() for _ in range(reader.number())]
    parameters = dict(_read_parameter(reader) for _ in range(reader.number()))
    return Facts(request_id, text or number, flags, priority, timeout, parameters, outputs)


def _read_parameter(reader: Reader) -> tuple[str, Any]:
    name, kind = reader.text(), reader.number()
    if kind == _TEXT:
        return name, reader.text()
    raw = reader.number()
    if kind == _BOOLEAN:
        return name, bool(raw)
    value: int | float = struct.unpack("<d" if kind == _DOUBLE else "<q", _NUMBER.pack(raw))[0]
    return name, value


class Outcome(NamedTuple):
    """What became of one request: a response, an error, or how else it is answered."""

    kind: int
    response: InferenceResponse | None = None
    error: tuple[int, str] = (0, "")


OUTPUTS, ERROR, SENDER, RESCHEDULED = range(4)


class Outbox:
    """The memory that answers are written into; it grows.

    Args:
        descriptor: of the memory.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._memory = self._grown(1 << 16)
        self._at = 0
        self._stage = ""

    def write_error(self, code: int, message: str, has_senders: Sequence[bool], *, keeps_inputs: bool) -> int:
        """Write that the whole batch failed; returns the bytes written."""
        self._begin(1, keeps_inputs=keeps_inputs)
        self._number(code)
        self._text(message)
        for has_sender in has_senders:
            self._number(has_sender)
        return self._at

    def write(self, outcomes: Sequence[Outcome], stage: str) -> int:
        """Write the answers of a batch, with errors that name the stage; returns the bytes written."""
        self._stage = stage
        self._begin(0, keeps_inputs=False)
        for outcome in outcomes:
            if outcome.response is None:
                self._number(outcome.kind)
                if outcome.kind == ERROR:
                    self._error(outcome.error)
            else:
                self._response(outcome.response)
        return self._at

    def mark_kept(self) -> None:
        """Say in the answer that is written that inputs are kept."""
        _NUMBER.pack_into(self._memory, 8, 1)

    def _response(self, response: InferenceResponse) -> None:
        start = self._at
        try:
            tensors = response.output_tensors()
            self._two(OUTPUTS, len(tensors))
            for tensor in tensors:
                self._tensor(tensor)
            parameters = response.parameter_values()
            self._text("" if parameters is None else json.dumps(parameters))
        except TritonModelException as exc:
            self._at = start
            self._number(ERROR)
            self._error((_INVALID, f"{self._stage}: {exc}"))

    def _tensor(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise TritonModelException(f"an output is a Tensor, and {type(tensor).__name__} was given")
        array = tensor.as_numpy()
        shape = array.shape
        number = _NUMBERS.get(array.dtype) or tensor.triton_dtype()
        if number == _BYTES:
            array = _texts(tensor)
        name = tensor.name().encode()
        head = _head(len(shape), len(name))
        self._require(head.size + _padded(array.nbytes))
        memory, at = self._memory, self._at
        head.pack_into(memory, at, number, len(shape), array.nbytes, *shape, len(name), name)
        at += head.size
        if array.flags.c_contiguous and array.dtype.isnative and array.dtype.kind in _PLAIN:
            memory[at : at + array.nbytes] = array.data
        else:
            np.ndarray(array.shape, array.dtype.newbyteorder("<"), memory, at)[...] = array
        self._at = at + _padded(array.nbytes)

    def _error(self, error: tuple[int, str]) -> None:
        self._number(error[0])
        self._text(error[1])

    def _begin(self, kind: int, *, keeps_inputs: bool) -> None:
        self._at = 0
        self._two(kind, keeps_inputs)

    def _two(self, one: int, other: int) -> None:
        self._require(16)
        _TWO.pack_into(self._memory, self._at, one, other)
        self._at += 16

    def _number(self, value: int) -> None:
        self._require(8)
        _NUMBER.pack_into(self._memory, self._at, value)
        self._at += 8

    def _text(self, text: str) -> None:
        if not text:
            self._number(0)
            return
        raw = text.encode()
        self._require(_padded(4 + len(raw)))
        struct.pack_into(f"<I{len(raw)}s", self._memory, self._at, len(raw), raw)
        self._at += _padded(4 + len(raw))

    def _require(self, byte_size: int) -> None:
        if self._at + byte_size > len(self._memory):
            self._memory = self._grown(max(self._at + byte_size, 2 * len(self._memory)))

    def _grown(self, byte_size: int) -> mmap.mmap:
        os.ftruncate(self._descriptor, byte_size)
        return mmap.mmap(self._descriptor, byte_size)


def _texts(tensor: Tensor) -> np.ndarray[Any, Any]:
    elements = tensor.as_numpy().ravel().tolist()
    wrong = [type(text).__name__ for text in elements if not isinstance(text, (bytes, str))]
    if wrong:
        raise TritonModelException(f"tensor {tensor.name()!r} holds {wrong[0]}: BYTES tensors hold bytes or str")
    raw = [text if isinstance(text, bytes) else text.encode() for text in elements]
    joined = b"".join(len(text).to_bytes(4, "little") + text for text in raw)
    return np.frombuffer(joined, np.uint8)
