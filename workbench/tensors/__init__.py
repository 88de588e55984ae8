# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Tensors as the server names and lays them out, from and to numpy arrays."""

from workbench.tensors.arrays import Buffer, as_array, copied_bytes, from_wire, to_wire
from workbench.tensors.device_array import DeviceArray, borrow, is_on_device
from workbench.tensors.dtypes import DATATYPES, byte_size_of, datatype_of, dtype_of

__all__ = [
    "DATATYPES",
    "Buffer",
    "DeviceArray",
    "as_array",
    "borrow",
    "byte_size_of",
    "copied_bytes",
    "datatype_of",
    "dtype_of",
    "from_wire",
    "is_on_device",
    "to_wire",
]
