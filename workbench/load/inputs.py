# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs made from a model's configuration, for those who drive it without having any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig, TensorSpec, model_spec
from workbench.errors import InvalidArgumentError
from workbench.tensors import dtype_of

_WORDS: Final = (b"triton", b"batch", b"queue", b"tensor", b"model", b"instance", b"notebook", b"delay")


_ANY: Final[Mapping[str, Sequence[int]]] = {}


def synthetic_inputs(
    config: ModelConfig, *, rows: int = 1, seed: int = 1, dims: Mapping[str, Sequence[int]] = _ANY
) -> dict[str, NDArray[Any]]:
    """One seeded array for each required input, and for each optional one whose shape is given.

    Numbers are small and not negative, so that they are legal indices for most models; texts are single words.

    Args:
        config: of the model.
        rows: the batch dimension, where the model batches.
        seed: of the values.
        dims: shapes by input name, without the batch dimension; a declared dimension of any size is 1 otherwise.

    Raises:
        InvalidArgumentError: a shape for an input that is not there, or that is not of the declared one's kind.
    """
    random = np.random.default_rng(seed)
    batch = (rows,) if config.max_batch_size > 0 else ()
    specs = model_spec(config, version=1, path="").inputs
    unknown = sorted(dims.keys() - {spec.name for spec in specs})
    if unknown:
        known = ", ".join(spec.name for spec in specs)
        raise InvalidArgumentError(f"model {config.name!r} has no input {unknown[0]!r}; its inputs are {known}")
    return {
        spec.name: _array(spec.data_type, (*batch, *_dims(spec, dims.get(spec.name))), random)
        for spec in specs
        if spec.name in dims or not spec.optional
    }


def _dims(spec: TensorSpec, given: Sequence[int] | None) -> tuple[int, ...]:
    if given is None:
        return tuple(max(dim, 1) for dim in spec.dims)
    fits = len(given) == len(spec.dims) and all(want in (-1, dim) for want, dim in zip(spec.dims, given, strict=True))
    if not fits or min(given, default=1) < 0:
        raise InvalidArgumentError(f"input {spec.name!r} has dims {list(spec.dims)}, which {list(given)} does not fit")
    return tuple(given)


def _array(datatype: str, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[Any]:
    if datatype == "BYTES":
        return np.array([_WORDS[i] for i in random.integers(len(_WORDS), size=shape).flat], dtype=object).reshape(shape)
    dtype = dtype_of(datatype)
    if datatype == "BF16" and dtype.kind == "u":
        return np.full(shape, 0x3F80, dtype)  # the bits of 1.0
    if dtype.kind in "iu":
        return random.integers(8, size=shape).astype(dtype)
    return (random.random(shape) < 0.5 if dtype.kind == "b" else random.random(shape)).astype(dtype)


def declared_type(config: ModelConfig, name: str, otherwise: str) -> str:
    """The data type of an input as the configuration declares it: an array of uint16 may hold BF16."""
    inputs = model_spec(config, version=1, path="").inputs
    declared = next((tensor.data_type for tensor in inputs if tensor.name == name), otherwise)
    return declared if (declared, otherwise) == ("BF16", "UINT16") else otherwise
