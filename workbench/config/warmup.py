# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The requests of a configuration's `model_warmup`, with their bytes: zeros, random ones, or a file's."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from os import PathLike
from pathlib import Path
from random import Random
from typing import Final

from workbench.config.message import ModelConfig, ModelWarmup, data_type_name
from workbench.errors import ConfigError

FOLDER: Final = "warmup"
"""Where, in the model's folder, the files of `input_data_file` lie."""

_SIZES: Final = {
    "BOOL": 1, "UINT8": 1, "UINT16": 2, "UINT32": 4, "UINT64": 8, "INT8": 1, "INT16": 2, "INT32": 4, "INT64": 8,
    "FP16": 2, "FP32": 4, "FP64": 8, "BF16": 2,
    # An empty string is its length alone.
    "BYTES": 4,
}  # fmt: skip
_SEED: Final = 1


@dataclass(frozen=True, slots=True)
class WarmupInputSpec:
    """One input of a warm-up request; `shape` has the batch dimension, where the model has one."""

    name: str
    data_type: str
    shape: tuple[int, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class WarmupSpec:
    """`count` executions, one after the other, of `batch_size` requests each."""

    name: str
    batch_size: int
    count: int
    inputs: tuple[WarmupInputSpec, ...]


def warmup_specs(config: ModelConfig, path: str | PathLike[str]) -> tuple[WarmupSpec, ...]:
    """The warm-up of a model whose folder is `path`.

    Raises:
        ConfigError: an input has no data, or its file is not there, too short, or not within the folder `warmup`.
    """
    specs = (_spec(config, index, Path(path)) for index in range(len(config.model_warmup)))
    return tuple(spec for spec in specs if spec.batch_size > 0)


def _spec(config: ModelConfig, index: int, folder: Path) -> WarmupSpec:
    sample = config.model_warmup[index]
    where = f"model_warmup[{index}]"
    inputs = tuple(_input(config, sample, name, where, folder) for name in sorted(sample.inputs))
    return WarmupSpec(sample.name, sample.batch_size, max(sample.count, 1), inputs)


def _input(config: ModelConfig, sample: ModelWarmup, name: str, where: str, folder: Path) -> WarmupInputSpec:
    given = sample.inputs[name]
    data_type = data_type_name(given.data_type)
    size = prod(given.dims) * _SIZES.get(data_type, 0)
    # Tensors that the configuration does not declare, such as a sequence's controls, have no batch dimension.
    is_declared = any(tensor.name == name and not tensor.is_shape_tensor for tensor in config.input)
    shape = (1, *given.dims) if config.max_batch_size > 0 and is_declared else tuple(given.dims)
    place = f'{where}.inputs["{name}"]'
    kind = given.WhichOneof("input_data_type")
    if kind is None:
        message = f"{place}: there is no data for input {name!r}"
        raise ConfigError(message, path=place, suggestion="write zero_data: true", stage="load")
    if kind == "input_data_file":
        data = _from_file(folder, given.input_data_file, None if data_type == "BYTES" else size, f"{place}.{kind}")
    elif kind == "random_data" and data_type != "BYTES":
        data = Random(_SEED).randbytes(size)
    else:
        data = bytes(size)
    return WarmupInputSpec(name, data_type, shape, data)


def _from_file(folder: Path, name: str, size: int | None, place: str) -> bytes:
    home = (folder / FOLDER).resolve()
    file = (home / name).resolve()
    if not file.is_relative_to(home):
        message = f"{place}: {name!r} leads out of {home}"
        raise ConfigError(message, path=place, stage="load")
    try:
        data = file.read_bytes()
    except OSError as exc:
        message = f"{place}: the file {file} can not be read: {exc.strerror}"
        raise ConfigError(message, path=place, suggestion=f"put it into {home}", stage="load") from exc
    if size is None:
        return data
    if len(data) < size:
        message = f"{place}: the file {file} has {len(data)} bytes, the tensor {size}"
        raise ConfigError(message, path=place, stage="load")
    return data[:size]
