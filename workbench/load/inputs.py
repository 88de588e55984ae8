# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs made from a model's configuration, for those who drive it without having any."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig, model_spec
from workbench.tensors import dtype_of

_WORDS: Final = (b"triton", b"batch", b"queue", b"tensor", b"model", b"instance", b"notebook", b"delay")


def synthetic_inputs(config: ModelConfig, *, rows: int = 1, seed: int = 1) -> dict[str, NDArray[Any]]:
    """One seeded array for each required input: a dimension of any size becomes 1, the batch has `rows`.

    Numbers are small and not negative, so that they are legal indices for most models; texts are single words.
    """
    random = np.random.default_rng(seed)
    batch = (rows,) if config.max_batch_size > 0 else ()
    return {
        tensor.name: _array(tensor.data_type, (*batch, *(max(dim, 1) for dim in tensor.dims)), random)
        for tensor in model_spec(config, version=1, path="").inputs
        if not tensor.optional
    }


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
