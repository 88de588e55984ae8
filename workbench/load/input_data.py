# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs from JSON files as perf_analyzer's option `--input-data` takes them, and such files from recorded inputs."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig, TensorSpec, model_spec
from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.tensors import dtype_of, from_wire, to_wire


@dataclass(frozen=True, slots=True, eq=False)
class InputData:
    """What a file holds: samples, and the streams that they make up where it has any, by their numbers."""

    samples: tuple[Mapping[str, NDArray[Any]], ...]
    streams: tuple[tuple[int, ...], ...] = ()


def read_input_data(path: str | Path, config: ModelConfig) -> InputData:
    """Reads `{"data": [...]}`: an entry is a request, or a list of them, which is a stream.

    A request has a value for each input: the elements in row-major order, or a mapping with `content` (those) or `b64`
    (the tensor's bytes), and `shape` (without the batch dimension) where the model leaves it open.

    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: the file is not of that format, or does not fit the model.
    """
    entries = _entries(path)
    reader = _Reader(config, str(path))
    samples: list[Mapping[str, NDArray[Any]]] = []
    streams: list[tuple[int, ...]] = []
    for place, entry in enumerate(entries):
        steps = entry if isinstance(entry, list) else [entry]
        first = len(samples)
        samples += [reader.request(step, f"data[{place}]") for step in steps]
        streams.append(tuple(range(first, len(samples))))
    if not samples:
        raise InvalidArgumentError(f"{path} has no data")
    has_streams = any(isinstance(entry, list) for entry in entries)
    return InputData(tuple(samples), tuple(filter(None, streams)) if has_streams else ())


def write_input_data(path: str | Path, samples: Iterable[Mapping[str, Any]], *, is_batched: bool) -> Path:
    """Writes arrays in that format, each tensor's bytes as base64; `is_batched`: their first dimension is a batch of 1.

    Raises:
        InvalidArgumentError: an array has more rows than the one that the format knows.
    """
    path = Path(path)
    data = [
        {name: _written(name, np.asarray(value), is_batched) for name, value in sample.items()} for sample in samples
    ]
    path.write_text(json.dumps({"data": data}))
    return path


def _written(name: str, array: NDArray[Any], is_batched: bool) -> dict[str, Any]:  # noqa: FBT001 - one of its kind
    if is_batched and array.shape[:1] != (1,):
        raise InvalidArgumentError(f"input {name!r} has shape {array.shape}: a file of inputs holds single rows")
    _, shape, buffer = to_wire(array)
    raw = buffer.tobytes() if isinstance(buffer, np.ndarray) else bytes(buffer)
    return {"b64": base64.b64encode(raw).decode(), "shape": list(shape[1:] if is_batched else shape)}


def _entries(path: str | Path) -> list[Any]:
    try:
        values = json.loads(Path(path).read_text())
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file of inputs {str(path)!r}") from error
    except json.JSONDecodeError as error:
        raise InvalidArgumentError(f"{path} is not JSON: {error}") from error
    entries = values.get("data") if isinstance(values, dict) else None
    if not isinstance(entries, list):
        raise InvalidArgumentError(f'{path} is no file of inputs: it needs a list called "data"')
    return entries


class _Reader:
    """Tensors out of a file for one model."""

    def __init__(self, config: ModelConfig, source: str) -> None:
        self._specs = {spec.name: spec for spec in model_spec(config, version=1, path="").inputs}
        self._is_batched = config.max_batch_size > 0
        self._source = source

    def request(self, values: Any, place: str) -> dict[str, NDArray[Any]]:
        if not isinstance(values, Mapping):
            raise InvalidArgumentError(f"{self._source}: {place} is no mapping from inputs to values")
        unknown = sorted(values.keys() - self._specs.keys())
        missing = sorted(name for name, spec in self._specs.items() if name not in values and not spec.optional)
        if unknown or missing:
            problem = f"has no input {unknown[0]!r}" if unknown else f"needs input {missing[0]!r}"
            known = ", ".join(self._specs)
            raise InvalidArgumentError(f"{self._source}: {place}: the model {problem}; its inputs are {known}")
        return {name: self._tensor(self._specs[name], value, f"{place}.{name}") for name, value in values.items()}

    def _tensor(self, spec: TensorSpec, value: Any, place: str) -> NDArray[Any]:
        shape = value.get("shape") if isinstance(value, Mapping) else None
        content = value.get("content", value) if isinstance(value, Mapping) else value
        try:
            if isinstance(content, Mapping):
                array = _from_base64(spec, content["b64"], shape)
            else:
                array = _from_elements(spec, content, shape)
        except (KeyError, TypeError, ValueError, OverflowError, binascii.Error) as error:
            dims = list(spec.dims) if shape is None else shape
            wanted = f"{spec.data_type} of shape {dims}"
            raise InvalidArgumentError(f"{self._source}: {place} holds no {wanted}: {error}") from error
        return array[np.newaxis] if self._is_batched else array


def _from_elements(spec: TensorSpec, content: Any, shape: Any) -> NDArray[Any]:
    if spec.data_type == "BYTES":
        flat = np.asarray([_text(one) for one in np.asarray(content, dtype=object).ravel()], dtype=object)
    elif spec.data_type == "BF16":
        flat = (np.asarray(content, np.float32).ravel().view(np.uint32) >> 16).astype(dtype_of("BF16"))
    else:
        flat = np.asarray(content, dtype_of(spec.data_type)).ravel()
    return flat.reshape(_open(spec) if shape is None else shape)


def _text(value: Any) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value.encode()


def _from_base64(spec: TensorSpec, content: str, shape: Any) -> NDArray[Any]:
    raw = base64.b64decode(content, validate=True)
    if spec.data_type == "BYTES":
        count = _count_texts(raw)
        return from_wire("BYTES", (count,), raw).reshape(_open(spec) if shape is None else shape)
    flat = np.frombuffer(raw, dtype_of(spec.data_type))
    return flat.reshape(_open(spec) if shape is None else shape)


def _open(spec: TensorSpec) -> tuple[int, ...]:
    """The declared shape, of which the number of elements tells one dimension at most."""
    if spec.dims.count(-1) > 1:
        raise ValueError('several dimensions vary, so it needs a "shape"')
    return spec.dims


def _count_texts(raw: bytes) -> int:
    count = at = 0
    while at < len(raw):
        at += 4 + int.from_bytes(raw[at : at + 4], "little")
        count += 1
    return count
