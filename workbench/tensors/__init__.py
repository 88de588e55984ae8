# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Tensors as the server names and lays them out, from and to numpy arrays."""

from workbench.tensors.arrays import Buffer, as_array, from_wire, to_wire
from workbench.tensors.dtypes import DATATYPES, byte_size_of, datatype_of, dtype_of

__all__ = [
    "DATATYPES",
    "Buffer",
    "as_array",
    "byte_size_of",
    "datatype_of",
    "dtype_of",
    "from_wire",
    "to_wire",
]
